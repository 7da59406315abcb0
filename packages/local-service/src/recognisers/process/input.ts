/** The samples of an utterance that its recogniser has not received yet. */
export interface Input {
  /** Of the samples that wait. */
  readonly length: number
  /** Of all samples so far. */
  readonly totalLength: number
  readonly isEnded: boolean
  /** Called after `push` and `end`. */
  onChange(): void
  push(samples: Int16Array): void
  end(): void
  /** Removes the first samples, at most `maxLength`. */
  take(maxLength: number): Int16Array
  /** Resolves when fewer samples wait. */
  waitUntilBelow(length: number): Promise<void>
}

export function createInput(): Input {
  const pieces: Int16Array[] = []
  let length = 0
  let totalLength = 0
  let isEnded = false
  let onTake = () => {}
  const input: Input = {
    get length() {
      return length
    },
    get totalLength() {
      return totalLength
    },
    get isEnded() {
      return isEnded
    },
    onChange() {},
    push(samples) {
      // A copy, because the caller may reuse its memory.
      pieces.push(samples.slice())
      length += samples.length
      totalLength += samples.length
      input.onChange()
    },
    end() {
      isEnded = true
      input.onChange()
    },
    take(maxLength) {
      const [first = new Int16Array()] = pieces
      const taken = first.subarray(0, maxLength)
      if (taken.length < first.length) pieces[0] = first.subarray(taken.length)
      else pieces.shift()
      length -= taken.length
      onTake()
      // The message to the program would contain the whole memory of a part.
      return taken.length < first.length ? taken.slice() : taken
    },
    async waitUntilBelow(wanted) {
      while (length >= wanted) await new Promise<void>((resolve) => (onTake = resolve))
    },
  }
  return input
}
