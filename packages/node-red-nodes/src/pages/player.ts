/** Plays raw PCM (signed, 16 bits, little-endian, mono) in a browser while it arrives. */
export interface Player {
  /** Whether the browser allows sound. */
  isUnlocked(): boolean
  /** Takes effect in the handler of a click, a tap or a key, and where the user allows sound without one. */
  unlock(): void
  /** 0 to 100: percent of the amplitude, of all sounds. */
  setVolume(percent: number): void
  /** Plays a sound to its end. @returns a function that stops it. */
  play(sound: PlayerSound): () => void
}

export interface PlayerSound {
  body: ReadableStream<Uint8Array>
  sampleRateHertz: number
  /** 0 to 100: percent of the amplitude. */
  volume: number
  onStarted(): void
  onEnded(): void
  onFailed(): void
}

/** The network may pause for so long without a gap in the sound. */
const leadSeconds = 0.15
/** What a browser holds of a long sound. The server keeps the rest until it is needed. */
const maxAheadSeconds = 30
/** Safari states no latency. */
const usualLatencySeconds = 0.1

// Safari before 14.1 has only the name with the prefix.
const Context =
  globalThis.AudioContext ??
  (globalThis as unknown as { webkitAudioContext?: typeof AudioContext }).webkitAudioContext

export const canPlaySound = Context !== undefined

/** @param onChanged Called when the browser begins or ceases to allow sound. */
export function createPlayer(onChanged: (isUnlocked: boolean) => void): Player {
  let output: { context: AudioContext; master: GainNode } | undefined
  let volume = 100
  const isUnlocked = () => output?.context.state === 'running'

  const unlock = () => {
    output ??= createOutput(volume, () => onChanged(isUnlocked()))
    // A phone call interrupts the sound of an iPad until somebody taps again.
    if (!isUnlocked()) output.context.resume().catch(() => {})
  }

  return {
    unlock,
    isUnlocked,
    setVolume(percent) {
      volume = percent
      if (output) output.master.gain.value = percent / 100
    },
    play(sound) {
      if (!output) throw new Error('The browser does not allow sound')
      return playIn(output.context, output.master, sound)
    },
  }
}

function createOutput(volume: number, onStateChange: () => void) {
  const context = new Context!()
  const master = context.createGain()
  master.gain.value = volume / 100
  master.connect(context.destination)
  context.onstatechange = onStateChange
  return { context, master }
}

function playIn(context: AudioContext, output: AudioNode, sound: PlayerSound): () => void {
  const gain = context.createGain()
  gain.gain.value = sound.volume / 100
  gain.connect(output)
  const reader = sound.body.getReader()
  const sources = new Set<AudioBufferSourceNode>()
  let startsAt = 0
  let isStopped = false

  const schedule = (samples: Float32Array) => {
    const buffer = context.createBuffer(1, samples.length, sound.sampleRateHertz)
    buffer.getChannelData(0).set(samples)
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(gain)
    const isLate = startsAt < context.currentTime
    if (isLate) {
      if (startsAt === 0) window.setTimeout(sound.onStarted, leadSeconds * 1000)
      startsAt = context.currentTime + leadSeconds
    }
    source.start(startsAt)
    startsAt += buffer.duration
    sources.add(source)
    source.onended = () => sources.delete(source)
  }

  /** Waits as long as enough of the sound is there. */
  const untilNeeded = async () => {
    while (!isStopped && startsAt - context.currentTime > maxAheadSeconds) {
      await new Promise((resolve) => window.setTimeout(resolve, 1000))
      if (context.state !== 'running') throw new Error('The sound was interrupted')
    }
  }
  const playAll = async () => {
    let rest = new Uint8Array(0)
    for (;;) {
      const { done, value } = await reader.read()
      if (isStopped) return
      if (done) break
      const bytes = joined(rest, value)
      const whole = bytes.length - (bytes.length % 2)
      rest = bytes.slice(whole)
      if (whole > 0) schedule(toSamples(bytes.subarray(0, whole)))
      await untilNeeded()
    }
    const latencySeconds = context.outputLatency || usualLatencySeconds
    const remainingSeconds = () => startsAt + latencySeconds - context.currentTime
    while (remainingSeconds() > 0) {
      await new Promise((resolve) => window.setTimeout(resolve, remainingSeconds() * 1000))
      // Its time stands still, so the rest would never be heard.
      if (context.state !== 'running') throw new Error('The sound was interrupted')
    }
    if (!isStopped) sound.onEnded()
  }
  const stop = () => {
    isStopped = true
    reader.cancel().catch(() => {})
    for (const source of sources) source.stop()
    gain.disconnect()
  }
  playAll().catch(() => {
    if (isStopped) return
    stop()
    sound.onFailed()
  })
  return stop
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function toSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const samples = new Float32Array(pcm.length / 2)
  for (let index = 0; index < samples.length; index++) {
    samples[index] = view.getInt16(2 * index, true) / 32_768
  }
  return samples
}
