/** How long ago the platform last answered, whatever the clock of the machine does (decisions 19.4). */

/** A moment on a machine: seconds since it started, which start that was, and unix milliseconds. */
export type Moment = { boot: string; upSeconds: number; wall: number }

/** What is kept over restarts: how old the list was at a moment. */
export type StoredAge = Moment & { age: number }

/**
 * @param stored what the process before this one wrote; null: the platform never answered
 * @param now the moment: seconds since the machine started go on where its clock is set
 */
export function listAge(stored: StoredAge | null, now: () => Moment) {
  let last = stored

  /** Seconds between two moments, at least: a clock that was set back while the machine was off hides the rest. */
  function between(from: Moment, to: Moment): number {
    // Where nobody knows which start it was, time that went back tells of another one.
    if (from.boot === to.boot && to.upSeconds >= from.upSeconds) return to.upSeconds - from.upSeconds
    return Math.max((to.wall - from.wall) / 1_000, to.upSeconds)
  }

  return {
    answered(): void {
      last = { ...now(), age: 0 }
    },
    /** null: it never answered. */
    seconds(): number | null {
      return last === null ? null : last.age + between(last, now())
    },
    /** To be kept. */
    stored(): StoredAge | null {
      const age = this.seconds()
      return age === null ? null : { ...now(), age }
    },
  }
}
