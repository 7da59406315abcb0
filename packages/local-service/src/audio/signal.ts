/** The samples of one phrase, which arrive in pieces. */
export interface Signal {
  /** The samples that are kept. Valid until the next push. */
  readonly samples: Float32Array
  /** The index of the first of them in the phrase. */
  readonly start: number
  /** The length of the phrase so far, in samples. */
  readonly length: number
  push(samples: Float32Array): void
  /** Drops the samples before an index in the phrase. Samples that arrive later are kept. */
  forget(end: number): void
}

/** Room for half a second, of which a user keeps a tenth and adds a quarter at a time. */
const initialSamples = 1 << 14

/**
 * Creates a signal without samples. It uses its memory again: large arrays for each phrase, outside of the heap of V8, made the garbage
 * collection take two fifths of the processor time of an imprint.
 */
export function createSignal(): Signal {
  let memory = new Float32Array(initialSamples)
  let start = 0
  let length = 0
  return {
    get samples() {
      return memory.subarray(0, length - start)
    },
    get start() {
      return start
    },
    get length() {
      return length
    },
    push(samples) {
      const kept = length - start
      if (kept + samples.length > memory.length) {
        const larger = new Float32Array(2 * (kept + samples.length))
        larger.set(memory.subarray(0, kept))
        memory = larger
      }
      memory.set(samples, kept)
      length += samples.length
    },
    forget(end) {
      const next = Math.min(Math.max(end, start), length)
      memory.copyWithin(0, next - start, length - start)
      start = next
    },
  }
}

export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  return copyInto(new Float32Array(totalLength(parts)), parts)
}

/** Joins 16-bit samples. */
export function joinPcm(parts: readonly Int16Array[]): Int16Array {
  return copyInto(new Int16Array(totalLength(parts)), parts)
}

type Samples = Float32Array | Int16Array

function totalLength(parts: readonly Samples[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

function copyInto<Kind extends Samples>(joined: Kind, parts: readonly Kind[]): Kind {
  let start = 0
  for (const part of parts) {
    joined.set(part, start)
    start += part.length
  }
  return joined
}

/** The value below which a share of the values lies: 0.5 is the median. 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  // A typed array sorts numbers several times as fast.
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}
