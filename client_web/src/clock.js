/**
 * The server's time as well as it can be known here. Each ping gives a sample; the one with the shortest way is the
 * most exact. A jump means that this machine slept, and old samples are forgotten.
 */

/** Samples kept. */
const KEPT = 8;
/** Difference that only a sleeping machine explains, in milliseconds. */
const JUMP_MS = 1500;

export class ServerClock {
  /** @type {{offset: number, trip: number}[]} */
  #samples = [];

  /**
   * Takes a sample.
   * @param {number} server instant that the server told, milliseconds since the epoch
   * @param {number} sent `performance.now()` when it was asked
   * @param {number} received `performance.now()` when the answer came
   */
  sample(server, sent, received) {
    const trip = Math.max(0, received - sent);
    const offset = server - (sent + received) / 2;
    if (this.#samples.length && Math.abs(offset - this.#best().offset) > JUMP_MS + trip) this.#samples = [];
    this.#samples = [...this.#samples, { offset, trip }].slice(-KEPT);
  }

  #best() {
    return this.#samples.reduce((best, one) => (one.trip < best.trip ? one : best));
  }

  /** The server's time now, milliseconds since the epoch; this machine's own until a sample was taken. */
  now() {
    return this.#samples.length ? performance.now() + this.#best().offset : Date.now();
  }

  /** Median way there and back of the last pings in milliseconds, or null when there was none. */
  ping() {
    if (!this.#samples.length) return null;
    const trips = this.#samples.slice(-5).map((one) => one.trip).sort((a, b) => a - b);
    return trips[Math.floor(trips.length / 2)];
  }

  /** Half of the shortest way there and back, in milliseconds. */
  oneWay() {
    return this.#samples.length ? this.#best().trip / 2 : 0;
  }
}
