// The time since a moment, as a clock shows it.

/**
 * Hours, where there are any, minutes and seconds; 0:00 for a moment that is yet to come, as after a clock was set back.
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
