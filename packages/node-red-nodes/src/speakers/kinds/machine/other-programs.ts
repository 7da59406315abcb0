import { execFile, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { terminate, waitForExit } from '../../../programs/child-process.ts'
import { findProgram } from '../../../programs/find-program.ts'
import { softerAmplitude, softerForMs } from '../../kind-settings.ts'
import { announcementId } from './players.ts'

const run = promisify(execFile)
const defaultLimitMs = 1000
/** A program that opens more is probably broken. */
const maxStreams = 64
/** A sound server that does not respond is busy, such as while a voice is loaded. */
const retryAfterMs = 500
const maxTries = 10
/** A stream appears soon after its program has started. */
const lookEveryMs = 20
/** PulseAudio and PipeWire state the cube root of the amplitude. */
const softerVolume = Math.cbrt(softerAmplitude)

/** What one program plays: the number of its stream, and the volume of each channel. */
interface Stream {
  id: string
  volumes: readonly number[]
  /** What the sound server remembers the volume by, for the next stream of this program. Empty: it does not. */
  rememberedAs: string
}

/** A stream that was turned down. */
interface Softened {
  before: Stream
  softly: Stream
}

/** Turns down what other programs play on the sound server of this machine, PulseAudio or PipeWire. */
export class OtherPrograms {
  readonly #environment: NodeJS.ProcessEnv
  readonly #limitMs: number
  #pactl: string | undefined
  #isMixed = false
  #uses = 0
  #tries = 0
  #later: NodeJS.Timeout | undefined
  #softened: readonly Softened[] = []
  /** The last change. The next one waits for it, or it would take soft volumes for the usual ones. */
  #change: Promise<void> = Promise.resolve()

  /** @param limitMs How long the sound server may take to respond. Default: 1 s. */
  constructor(environment: NodeJS.ProcessEnv, limitMs = defaultLimitMs) {
    this.#limitMs = limitMs
    // The programs must print the words that are read here.
    this.#environment = { ...environment, LC_ALL: 'C' }
  }

  /** Whether the machine mixes the sounds of several programs, as far as {@link look} has found out. */
  get isMixed(): boolean {
    return this.#isMixed
  }

  /** Looks for the sound server. */
  async look(): Promise<void> {
    const found = await findProgram('pactl', this.#environment)
    this.#pactl = found ?? this.#pactl
    this.#isMixed = found !== undefined && (await this.#ask('info')) !== undefined
  }

  /** Turns them down, until {@link restore} was called as often. */
  soften(): Promise<void> {
    clearTimeout(this.#later)
    this.#uses += 1
    return this.#then(async () => {
      if (this.#softened.length > 0 || !this.#isMixed) return
      const streams = (await this.#streams()) ?? []
      this.#softened = streams.map((before) => ({
        before,
        softly: { ...before, volumes: before.volumes.map((one) => Math.round(one * softerVolume)) },
      }))
      await Promise.all(this.#softened.map(({ softly }) => this.#setVolume(softly)))
    })
  }

  /** Gives them their volume back, unless the next announcement begins soon. */
  restore(): void {
    this.#uses -= 1
    this.#tries = 0
    this.#settleAfter(softerForMs)
  }

  /** Gives those their volume back now whose volume nobody else has changed meanwhile, unless an announcement plays. */
  settle(): Promise<void> {
    return this.#then(async () => {
      if (this.#uses > 0 || this.#softened.length === 0) return
      clearTimeout(this.#later)
      this.#softened = await this.#resetVolumes(this.#softened)
      this.#tries += 1
      if (this.#softened.length > 0 && this.#tries < maxTries) this.#settleAfter(retryAfterMs)
    })
  }

  #settleAfter(delayMs: number): void {
    clearTimeout(this.#later)
    this.#later = setTimeout(() => void this.settle(), delayMs)
  }

  /** @returns those that are still soft, because the sound server does not respond. */
  async #resetVolumes(softened: readonly Softened[]): Promise<readonly Softened[]> {
    const current = await this.#streams()
    if (!current) return softened
    const isOurs = ({ softly: { id, volumes } }: Softened) =>
      current.some((one) => one.id === id && `${one.volumes}` === `${volumes}`)
    const own = [...softened.filter(isOurs), ...laterStreams(softened, current)]
    const given = await Promise.all(own.map(({ before }) => this.#setVolume(before)))
    for (const one of endedPrograms(softened, current)) await this.#forgetSoftVolume(one)
    return own.filter((_one, index) => !given[index])
  }

  /** The sound server remembers the soft volume of a program that has ended: a silent stream is turned up in its place. */
  async #forgetSoftVolume({ before, softly: { rememberedAs, volumes } }: Softened): Promise<void> {
    const program = await findProgram('pacat', this.#environment)
    if (!program) return
    const stream = `--property=module-stream-restore.id=${rememberedAs}`
    const args = ['--playback', '--raw', `--channels=${volumes.length}`, stream]
    const child = spawn(program, args, {
      env: this.#environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const exited = waitForExit(child)
    const until = performance.now() + this.#limitMs
    let silent: Stream | undefined
    while (!silent && child.exitCode === null && performance.now() < until) {
      await delay(lookEveryMs)
      silent = (await this.#streams())?.find((one) => one.rememberedAs === rememberedAs)
    }
    if (`${silent?.volumes}` === `${volumes}`) await this.#setVolume({ ...before, id: silent!.id })
    await terminate(child, exited)
  }

  #then(change: () => Promise<void>): Promise<void> {
    this.#change = this.#change.then(change)
    return this.#change
  }

  /** @returns those of other programs; nothing if the sound server does not respond. */
  async #streams(): Promise<Stream[] | undefined> {
    const list = await this.#ask('list', 'sink-inputs')
    return list
      ?.split(/^Sink Input #/m)
      .slice(1, maxStreams + 1)
      .filter((entry) => propertyIn(entry, 'application.id') !== announcementId)
      .map((entry) => ({
        id: /^\d+/.exec(entry)?.[0] ?? '',
        volumes: volumesIn(entry),
        rememberedAs: propertyIn(entry, 'module-stream-restore.id'),
      }))
      .filter(({ id, volumes }) => id !== '' && volumes.length > 0)
  }

  /** @returns whether it is set. The program may have ended. */
  async #setVolume({ id, volumes }: Stream): Promise<boolean> {
    return (await this.#ask('set-sink-input-volume', id, ...volumes.map(String))) !== undefined
  }

  /** @returns what it prints, or nothing if it fails: an announcement is more important than the music under it. */
  async #ask(...args: readonly string[]): Promise<string | undefined> {
    if (!this.#pactl) return undefined
    const options = { env: this.#environment, timeout: this.#limitMs }
    return run(this.#pactl, args, options).then(
      ({ stdout }) => stdout,
      () => undefined,
    )
  }
}

/** What a program has begun to play meanwhile: the sound server remembered the soft volume of its stream before. */
function laterStreams(softened: readonly Softened[], current: readonly Stream[]): Softened[] {
  return current.flatMap((stream) => {
    const isKnown = softened.some(({ softly }) => softly.id === stream.id)
    const before = softened.find(
      ({ softly: { rememberedAs, volumes } }) =>
        rememberedAs !== '' &&
        rememberedAs === stream.rememberedAs &&
        `${volumes}` === `${stream.volumes}`,
    )?.before
    if (isKnown || !before) return []
    return { before: { ...before, id: stream.id }, softly: stream }
  })
}

/** Programs that have ended while they were soft, and whose volume the sound server remembers: one stream of each. */
function endedPrograms(softened: readonly Softened[], current: readonly Stream[]): Softened[] {
  const names = new Set(['', ...current.map(({ rememberedAs }) => rememberedAs)])
  return softened.filter(({ softly: { rememberedAs } }) => {
    const isNew = !names.has(rememberedAs)
    names.add(rememberedAs)
    return isNew
  })
}

/** Reads a property from a line such as `application.id = "org.example"`. */
function propertyIn(entry: string, name: string): string {
  const line = entry.split('\n').find((one) => one.trimStart().startsWith(`${name} = "`))
  return line?.slice(line.indexOf('"') + 1, line.lastIndexOf('"')) ?? ''
}

/** Reads the volumes from a line such as `Volume: front-left: 65536 / 100% / 0.00 dB,   front-right: 65536 / 100% / 0.00 dB`. */
function volumesIn(entry: string): number[] {
  const line = /^\s*Volume:(.*)$/m.exec(entry)?.[1] ?? ''
  return [...line.matchAll(/: {0,9}(\d{1,9}) \//g)].map(([, volume]) => Number(volume))
}

const servers = new Map<string, OtherPrograms>()

/** The other programs of a sound server, which all speakers of this machine turn down together. */
export function otherProgramsOf(environment: NodeJS.ProcessEnv): OtherPrograms {
  const key = JSON.stringify([environment['PULSE_SERVER'], environment['XDG_RUNTIME_DIR']])
  const others = servers.get(key) ?? new OtherPrograms(environment)
  servers.set(key, others)
  return others
}
