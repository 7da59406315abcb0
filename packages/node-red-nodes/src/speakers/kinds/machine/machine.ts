import { record } from '../../../microphones/machine/record.ts'
import { machineKind, soundEnvironment } from '../../../programs/this-machine.ts'
import type { Texts } from '../../../runtime/texts.ts'
import type { Driver } from '../../driver.ts'
import {
  hearingSetting,
  type Music,
  musicSetting,
  readHearing,
  readMusic,
} from '../../kind-settings.ts'
import { SpeakerError, speakerClosed } from '../../speaker-error.ts'
import type { SpeakerKind } from '../../speaker-kind.ts'
import { otherProgramsOf } from './other-programs.ts'
import { findPlayers, type InstalledPlayer } from './players.ts'
import { createQuestionMicrophone, microphoneTexts } from './question-microphone.ts'
import { PlayerFailure, runPlayer } from './run-player.ts'

export const machineSpeaker: SpeakerKind = {
  create: ({ RED, config }) =>
    createMachineDriver({ RED, music: readMusic(config), hears: readHearing(config) }),
  settings: [musicSetting, hearingSetting],
  devices: () => ['machine'],
  isBuiltIn: true,
}

const searchAgainAfterMs = 10_000
const defaultStallLimitMs = 10_000

export interface MachineSpeakerOptions {
  /** The texts of the speaker node. */
  RED: Texts
  /** Default: the environment of Node-RED. */
  environment?: NodeJS.ProcessEnv
  /** Default: `stop`. What other programs play goes on then. */
  music?: Music
  /** Whether it records what somebody says to an announcement. Default: no. */
  hears?: boolean
  /** How long a player may take none of a sound, or run longer than the sound lasts. Default: 10 s. */
  stallLimitMs?: number
}

/** Plays sounds on the machine that runs Node-RED, with the programs that are installed there. */
export function createMachineDriver(options: MachineSpeakerOptions): Driver {
  const { RED, music = 'stop', hears = false, stallLimitMs = defaultStallLimitMs } = options
  const environment = soundEnvironment(options.environment ?? process.env)
  const others = otherProgramsOf(environment)
  if (music !== 'stop') void others.look()
  const closing = new AbortController()
  const playing = new Set<Promise<unknown>>()
  const players = createPlayers(RED, environment, stallLimitMs)

  const playSoftening: Driver['play'] = async (sound, options) => {
    if (music !== 'softer' || options.isMusic) return players.play(sound, options)
    await others.soften()
    return players.play(sound, options).finally(() => others.restore())
  }

  return {
    questionMicrophone: createQuestionMicrophone(RED),
    async prepare() {
      if (music !== 'stop') await others.look()
      return (await players.find())[0]!.format
    },
    playsOver: () => music !== 'stop' && others.isMixed,
    ...(hears && {
      hearCommands: (onPcm, signal) =>
        record({
          RED: microphoneTexts(RED),
          device: '',
          environment,
          signal: AbortSignal.any([signal, closing.signal]),
          onPcm: (pcm) => onPcm(pcm, 'machine'),
        }),
    }),
    play(sound, options) {
      const signal = AbortSignal.any([options.signal, closing.signal])
      const played = playSoftening(sound, { ...options, signal })
      playing.add(played)
      return played.finally(() => playing.delete(played))
    },
    async close() {
      closing.abort(speakerClosed(RED))
      await Promise.allSettled(playing)
      await others.settle()
    },
  }
}

/** The installed players, and how a sound is played with the first of them that works. */
function createPlayers(RED: Texts, environment: NodeJS.ProcessEnv, stallLimitMs: number) {
  let installed: InstalledPlayer[] = []
  let searchedAt = -Infinity
  /** The player that last played a sound to its end. */
  let lastWorking: string | undefined

  /** @returns at least one, the one that last worked first. @throws {SpeakerError} if none is installed. */
  const find = async (): Promise<InstalledPlayer[]> => {
    // Without any, it searches again at once: somebody may just have installed one.
    if (installed.length === 0 || performance.now() - searchedAt > searchAgainAfterMs) {
      installed = await findPlayers(environment)
      searchedAt = performance.now()
    }
    if (installed.length === 0) throw noPlayer(RED, environment)
    const isWorking = ({ program }: InstalledPlayer) => program === lastWorking
    return [...installed.filter(isWorking), ...installed.filter((player) => !isWorking(player))]
  }
  const play: Driver['play'] = async (sound, { signal, volume, isMusic, onFirstSound }) => {
    const failures: PlayerFailure[] = []
    const players = (await find()).filter(
      ({ format }) => format.audioEncoding === sound.format.audioEncoding,
    )
    for (const player of players) {
      try {
        const run = { signal, volume, isMusic, environment, stallLimitMs, onFirstSound }
        await runPlayer(player, sound, run)
        lastWorking = player.program
        return { confirmedBy: 'process' }
      } catch (error) {
        if (!(error instanceof PlayerFailure)) throw error
        failures.push(error)
        // A player that played before has probably begun this sound, too: another one would say its start twice.
        const wasSilent =
          error.problem === 'not opened' ||
          (error.problem === 'stalled' && player.program !== lastWorking)
        if (!wasSilent) break
      }
    }
    throw errorOf(failures, RED, environment)
  }
  return { find, play }
}

function noPlayer(RED: Texts, environment: NodeJS.ProcessEnv): SpeakerError {
  const advice = RED._(`speaker.advice.${machineKind(environment)}`)
  return new SpeakerError('NO_PLAYER', RED._('speaker.machine.no-player', { advice }))
}

function errorOf(
  failures: readonly PlayerFailure[],
  RED: Texts,
  environment: NodeJS.ProcessEnv,
): SpeakerError {
  const reasons = failures
    .map(({ problem, program, message }) =>
      problem === 'stalled' ? RED._('speaker.machine.stalled', { program }) : message,
    )
    .join('; ')
  if (/\bbusy\b/i.test(reasons)) {
    return new SpeakerError('SPEAKER_REFUSED', RED._('speaker.machine.busy', { reasons }))
  }
  const hasStarted = failures.some(({ problem }) => problem === 'ended early')
  const advice = RED._(`speaker.advice.${machineKind(environment)}`)
  const key = hasStarted ? 'ended-early' : 'not-played'
  const message = RED._(`speaker.machine.${key}`, { reasons, advice })
  return new SpeakerError('SPEAKER_NOT_REACHABLE', message)
}
