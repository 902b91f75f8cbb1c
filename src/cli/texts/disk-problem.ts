/** Node's text of an error of the disk: its code and, after the call, the path. */
const DISK_ERROR = /(?:Error: )?\b(EACCES|EPERM|EROFS|ENOSPC): [^,\n]{1,99}, \w+(?: '([^'\n]*)')?/;

/** Returns the code of a folder or file that cannot be written; undefined for other problems. */
export function diskCode(problem: unknown): string | undefined {
  return DISK_ERROR.exec(String(problem))?.[1];
}

/** Replaces Node's text of an error of the disk by what to do about it. */
export function diskAdvice(text: string): string {
  return text.replace(DISK_ERROR, (_, code: string, path: string | undefined) => {
    const what = path === undefined ? 'A file' : `"${path}"`;
    return `${what} cannot be written (${code}). Check its permissions and the space on the disk, or choose another folder for this device's data with --state.`;
  });
}
