/** Days, and how they are written. */
const DAY_MS = 86_400_000;

/** Whole days from one time to another; negative if `to` is earlier. */
export function daysBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / DAY_MS);
}

export function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function formatDays(days: number): string {
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
}
