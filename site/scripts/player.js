// Time: beats follow each other while playing. Nothing loops.

export class Player {
  playing = false;
  speed = 1;
  /** How much faster than by hand. */ pace = 1;
  /** How long, in ms, the end of a call stays before another is issued. */ rest = 0;
  /** Issues another call when all that were issued have been played; false: no. */ next = () => false;
  #timer = 0;

  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {{beat: (beat: import("./types.js").Beat, ms: number) => void, changed: () => void}} show
   */
  constructor(timeline, show) {
    this.timeline = timeline;
    this.show = show;
  }

  /** Play from here to the end of what was issued; at the end, the last call once more. */
  play() {
    const { timeline } = this;
    if (!timeline.rewound && timeline.call) timeline.goto(timeline.call, 1);
    else if (timeline.over) timeline.step(1);
    this.playing = true;
    this.show.changed();
    this.#run();
  }

  pause() {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    this.playing = false;
    this.show.changed();
  }

  #run() {
    const { timeline } = this, beat = timeline.beats(timeline.call)[timeline.beat - 1];
    if (!beat) return this.pause();
    const ms = beat.ms / this.speed / this.pace;
    this.show.beat(beat, ms);
    this.#timer = setTimeout(() => {
      if (timeline.rewound) timeline.step(1);
      else if (!this.next()) return this.pause();
      this.#run();
    }, ms + (timeline.over ? this.rest : 0));
  }
}
