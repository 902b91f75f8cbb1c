/** Returns an ISO time as a day and minute in the time zone of this device. */
export function localMinute(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const two = (number: number) => `${number}`.padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the day of an ISO time in the time zone of this device. */
export function localDay(time: string): string {
  return localMinute(time).slice(0, 10);
}

/** Returns an ISO time in UTC to the minute, which is cheaper to read. */
export function utcMinute(time: string): string {
  return `${time.slice(0, 16)}Z`;
}
