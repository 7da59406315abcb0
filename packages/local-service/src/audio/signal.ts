/** The samples of one phrase, which arrive in pieces. A phrase takes a few seconds, so all samples are kept. */
export interface Signal {
  /** All samples so far. Valid until the next push. */
  readonly samples: Float32Array
  readonly length: number
  push(samples: Float32Array): void
}

export function createSignal(): Signal {
  let memory = new Float32Array(1 << 15)
  let length = 0
  return {
    get samples() {
      return memory.subarray(0, length)
    },
    get length() {
      return length
    },
    push(samples) {
      if (length + samples.length > memory.length) {
        const larger = new Float32Array(2 * (length + samples.length))
        larger.set(memory.subarray(0, length))
        memory = larger
      }
      memory.set(samples, length)
      length += samples.length
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
