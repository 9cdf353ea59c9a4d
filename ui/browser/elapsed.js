// Formats the time since a moment like a stopwatch.

/**
 * Hours (if any), minutes and seconds; 0:00 for a moment in the future, such as after a clock was set back.
 *
 * @param {number} began in milliseconds, as of `Date.now`
 * @param {number} now the same
 */
export function elapsedSince(began, now) {
  const seconds = Math.max(0, Math.floor((now - began) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
