import { wholeSamples } from '@parlando/core/audio'
import { samplesOf } from '../sounds/pcm-samples.ts'

export interface PlayerSound {
  body: ReadableStream<Uint8Array>
  sampleRateHertz: number
  /** 0 to 100: percent of the amplitude. */
  volume: number
  onStarted(): void
  onEnded(): void
  onFailed(): void
}

/** A sound that plays. */
export interface PagePlayback {
  stop(): void
  /** How much of it was heard. */
  readonly positionSeconds: number
  /** Fades to a share of its own amplitude. */
  setLevel(level: number): void
}

/** The time after which two thirds of the change of a fade are done. */
const fadeSeconds = 0.1
/** The network may pause for this long without a gap in the sound: twice as long after each gap, so that there are few. */
const leadSeconds = { first: 0.15, max: 2 }
/** What a browser holds of a long sound. The server keeps the rest until it is needed. */
const maxAheadSeconds = 30
/** Safari states no latency. */
const usualLatencySeconds = 0.1

// Safari before 14.1 has only the name with the prefix.
const Context =
  globalThis.AudioContext ??
  (globalThis as unknown as { webkitAudioContext?: typeof AudioContext }).webkitAudioContext

export const canPlaySound = Context !== undefined

/**
 * Plays raw PCM (signed, 16 bits, little-endian, mono) in a browser while it arrives.
 * @param onChanged Called when the browser begins or ceases to allow sound.
 */
export function createPlayer(onChanged: (isUnlocked: boolean) => void) {
  let output: { context: AudioContext; master: GainNode } | undefined
  let volume = 100
  const isUnlocked = () => output?.context.state === 'running'

  const unlock = () => {
    output ??= createOutput(volume, () => onChanged(isUnlocked()))
    // A phone call interrupts the sound of an iPad until somebody taps again.
    if (!isUnlocked()) output.context.resume().catch(() => {})
  }

  return {
    /** Takes effect in the handler of a click, a tap or a key, and where the user allows sound without one. */
    unlock,
    /** Whether the browser allows sound. */
    isUnlocked,
    /** 0 to 100: percent of the amplitude, of all sounds. */
    setVolume(percent: number) {
      volume = percent
      if (output) output.master.gain.value = percent / 100
    },
    /** Plays a sound to its end. */
    play(sound: PlayerSound): PagePlayback {
      if (!output) throw new Error('The browser does not allow sound')
      return playIn(output.context, output.master, sound)
    },
  }
}

export type PagePlayer = ReturnType<typeof createPlayer>

function createOutput(volume: number, onStateChange: () => void) {
  const context = new Context!()
  const master = context.createGain()
  master.gain.value = volume / 100
  master.connect(context.destination)
  context.onstatechange = onStateChange
  return { context, master }
}

function playIn(context: AudioContext, output: AudioNode, sound: PlayerSound): PagePlayback {
  const gain = context.createGain()
  gain.gain.value = sound.volume / 100
  gain.connect(output)
  const reader = sound.body.getReader()
  const timeline = new Timeline(context, gain, sound)
  let isStopped = false

  const playAll = async () => {
    const whole = wholeSamples()
    for (;;) {
      const { done, value } = await reader.read()
      if (isStopped) return
      if (done) break
      const bytes = whole(value)
      if (bytes.length > 0) timeline.add(samplesOf(bytes))
      while (!isStopped && timeline.secondsAhead > maxAheadSeconds) await pause(context, 1)
    }
    const latencySeconds = context.outputLatency || usualLatencySeconds
    const remainingSeconds = () => timeline.secondsAhead + latencySeconds
    while (remainingSeconds() > 0) await pause(context, remainingSeconds())
    if (!isStopped) sound.onEnded()
  }
  const stop = () => {
    isStopped = true
    reader.cancel().catch(() => {})
    timeline.stop()
    gain.disconnect()
  }
  playAll().catch(() => {
    if (isStopped) return
    stop()
    sound.onFailed()
  })
  return {
    stop,
    get positionSeconds() {
      const latencySeconds = context.outputLatency || usualLatencySeconds
      return timeline.playedSeconds - latencySeconds
    },
    setLevel(level) {
      gain.gain.setTargetAtTime((level * sound.volume) / 100, context.currentTime, fadeSeconds)
    },
  }
}

/** @throws an Error if the sound was interrupted: its time stands still, so the rest would never be heard. */
async function pause(context: AudioContext, seconds: number): Promise<void> {
  await new Promise((resolve) => window.setTimeout(resolve, seconds * 1000))
  if (context.state !== 'running') throw new Error('The sound was interrupted')
}

/** Puts the pieces of a sound one after the other. */
class Timeline {
  readonly #context: AudioContext
  readonly #output: AudioNode
  readonly #sound: PlayerSound
  readonly #sources = new Set<AudioBufferSourceNode>()
  #endsAt = 0
  #addedSeconds = 0
  #leadSeconds = leadSeconds.first

  constructor(context: AudioContext, output: AudioNode, sound: PlayerSound) {
    this.#context = context
    this.#output = output
    this.#sound = sound
  }

  /** How much of the sound has arrived and was not yet played. */
  get secondsAhead(): number {
    return this.#endsAt - this.#context.currentTime
  }

  /** How much of the sound was played. */
  get playedSeconds(): number {
    return this.#addedSeconds - Math.max(0, this.secondsAhead)
  }

  add(samples: Float32Array): void {
    const buffer = this.#context.createBuffer(1, samples.length, this.#sound.sampleRateHertz)
    buffer.getChannelData(0).set(samples)
    const source = this.#context.createBufferSource()
    source.buffer = buffer
    source.connect(this.#output)
    const isLate = this.secondsAhead < 0
    if (isLate) {
      const isFirst = this.#endsAt === 0
      if (isFirst) window.setTimeout(this.#sound.onStarted, this.#leadSeconds * 1000)
      else this.#leadSeconds = Math.min(2 * this.#leadSeconds, leadSeconds.max)
      this.#endsAt = this.#context.currentTime + this.#leadSeconds
    }
    source.start(this.#endsAt)
    this.#endsAt += buffer.duration
    this.#addedSeconds += buffer.duration
    this.#sources.add(source)
    source.onended = () => this.#sources.delete(source)
  }

  stop(): void {
    for (const source of this.#sources) source.stop()
  }
}
