// Motion that explains: the cab falls, the key is held against the stored one cell by cell, the
// verdict is stamped, work lights up, the answer climbs and fills what it passed. Everything is a
// Web Animation towards a picture that is already there, so stopping at any time is harmless.

const APPEAR = [{ opacity: 0 }, { opacity: 1 }];
const FALL = "cubic-bezier(.5, 0, .75, .9)", RISE = "cubic-bezier(.2, .7, .2, 1)";

/** The reader asked for less motion. */
export function calm() {
  try {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  } catch {
    return false;
  }
}

export class Motion {
  /** @param {import("./floors.js").Floors} floors @param {(f: number) => Iterable<Element>} twins what shows a floor's verdict elsewhere */
  constructor(floors, twins) {
    this.floors = floors;
    this.twins = twins;
    this.y = 0;
    this.floor = 0;
    /** @type {Animation[]} */ this.running = [];
  }

  #run(/** @type {Element} */ node, /** @type {Keyframe[]} */ frames, /** @type {KeyframeAnimationOptions} */ options) {
    this.running.push(node.animate(frames, { fill: "backwards", easing: "ease-out", ...options }));
  }

  /** Put the cab at a floor at once, e.g. after a resize. @param {number} [floor] */
  place(floor = this.floor) {
    this.floor = floor;
    this.y = this.floors.at(floor);
    this.floors.cab.style.setProperty("transform", `translateY(${this.y}px)`);
  }

  stop() {
    for (const animation of this.running) animation.cancel();
    this.running = [];
  }

  /**
   * Show one beat. @param {import("./types.js").Beat} beat @param {number} ms how long it may take
   */
  beat(beat, ms) {
    this.stop();
    const from = this.y, { cab } = this.floors;
    this.place(beat.floor);
    const rising = beat.kind === "climb";
    cab.classList.toggle("answered", rising);
    if (calm()) return;
    const travel = Math.min(ms * (rising ? 0.6 : 0.4), 90 + Math.abs(this.y - from) * 1.4);
    if (Math.abs(this.y - from) > 1) {
      this.#run(cab, [{ transform: `translateY(${from}px)` }, { transform: `translateY(${this.y}px)` }], { duration: travel, easing: rising ? RISE : FALL });
    }
    if (beat.kind === "ask") this.#compare(beat, travel, ms - travel);
    if (beat.kind === "work" || beat.kind === "skip") this.#light(beat, travel);
    if (rising) this.#fill(travel);
  }

  /** @param {import("./types.js").Beat} beat @param {number} delay @param {number} ms */
  #compare(beat, delay, ms) {
    const item = this.floors.items[beat.floor - 1], decides = beat.event === item.deciding;
    const cells = decides ? [...item.keys.children] : [];
    const stop = cells.findIndex((cell) => cell.classList.contains("differs"));
    const read = stop < 0 ? cells.length : stop + 1, each = (ms * 0.55) / Math.max(read, 2);
    cells.forEach((cell, i) => {
      if (i >= read) this.#run(cell, APPEAR, { duration: 200, delay: delay + ms * 0.75 });
      else this.#run(cell, [{ opacity: 0, transform: "translateX(-10px)" }, { opacity: 1, transform: "none" }], { duration: each * 1.1, delay: delay + i * each });
    });
    const after = delay + read * each, station = beat.event && "station" in beat.event ? beat.event.station : "";
    for (const stamp of [item.badge, ...item.vars.querySelectorAll(`[data-station="${station}"] .var-mark`), ...this.twins(item.f)]) {
      this.#run(stamp, [{ opacity: 0, transform: "scale(1.25)" }, { opacity: 1, transform: "none" }], { duration: 160, delay: after });
    }
    if (decides) this.#run(item.why, APPEAR, { duration: 200, delay: after + 60 });
  }

  /** @param {import("./types.js").Beat} beat @param {number} delay */
  #light(beat, delay) {
    for (const work of this.floors.items[beat.floor - 1].works.children) {
      this.#run(work, [{ opacity: 0, transform: "translateX(-14px)" }, { opacity: 1, transform: "none" }], { duration: 260, delay });
    }
  }

  /** @param {number} ms */
  #fill(ms) {
    [...this.floors.items].reverse().forEach((item, i) => {
      for (const tab of item.tabs.querySelectorAll(".fresh")) {
        this.#run(tab, [{ opacity: 0, transform: "translateY(-10px)" }, { opacity: 1, transform: "none" }], { duration: 220, delay: (ms / 6) * i });
      }
    });
  }
}
