import { findProgram } from '../../../programs/find-program.ts'
import { words } from '../../../programs/this-machine.ts'
import type { SoundFormat } from '../../../sounds/sound.ts'

/** A program that plays sounds, and how it takes them. */
export interface PlayerProgram {
  program: string
  format: SoundFormat
  /** How it gets the sound: through standard input as the sound grows, or as a WAV file when the sound is complete. */
  input: 'stream' | 'file'
  /** How much of a growing sound a stream begins with: without it, the player runs dry at the start. */
  leadMs: number
  args(call: PlayerCall): string[]
  /** Errors that the player prints although it exits with 0. */
  failureOutput?: RegExp
}

export interface PlayerCall {
  /** The WAV file, for players that take one. */
  file: string | undefined
  /** 0 to 100. The amplitude of PCM has it already. */
  volume: number
  isMusic: boolean
}

const pcm: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
const mp3: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }
const rate = String(pcm.sampleRateHertz)

/** What sound servers know announcements by. They remember the volume of each program, and that of our music may be softer. */
export const announcementId = 'parlando.announcement'

/** The environment variable that also holds the path of the WAV file, for a shell that would have to quote it. */
export const fileVariable = 'PARLANDO_SOUND_FILE'

/**
 * The players in the order of preference: the server of the desktop, which mixes sounds, before the bare device; then
 * players that start late. Delays were measured with PulseAudio 16 on Debian 12.
 */
const players: readonly PlayerProgram[] = [
  {
    program: 'pacat',
    format: pcm,
    input: 'stream',
    leadMs: 0,
    // With the default latency of 2 s, a sound that grows in real time starts 1.9 s late; with 50 ms it has gaps.
    args: ({ isMusic }) => [
      ...words(`--playback --raw --format=s16le --channels=1 --rate=${rate} --latency-msec=200`),
      '--client-name=Parlando',
      ...(isMusic ? [] : [`--property=application.id=${announcementId}`]),
    ],
  },
  {
    // Its versions disagree on what standard input holds, raw samples or a file, so it gets a file.
    program: 'pw-cat',
    format: pcm,
    input: 'file',
    leadMs: 0,
    args: ({ file }) => ['--playback', file!],
  },
  {
    program: 'aplay',
    format: pcm,
    input: 'stream',
    leadMs: 300,
    args: () => words(`--quiet --file-type=raw --format=S16_LE --channels=1 --rate=${rate}`),
  },
  // Part of macOS.
  { program: 'afplay', format: pcm, input: 'file', leadMs: 0, args: ({ file }) => [file!] },
  {
    // Part of Windows.
    program: 'powershell',
    format: pcm,
    input: 'file',
    leadMs: 0,
    args: () => [
      ...words('-NoProfile -NonInteractive -Command'),
      `$ErrorActionPreference = 'Stop'; (New-Object System.Media.SoundPlayer $env:${fileVariable}).PlaySync()`,
    ],
  },
  {
    program: 'mpv',
    format: pcm,
    input: 'stream',
    leadMs: 300,
    args: () => [
      ...words('--no-config --no-video --no-input-terminal --msg-level=all=error'),
      ...words('--demuxer=rawaudio --demuxer-rawaudio-format=s16le --demuxer-rawaudio-channels=1'),
      ...words(`--demuxer-rawaudio-rate=${rate} -`),
    ],
  },
  {
    program: 'ffplay',
    format: pcm,
    input: 'stream',
    leadMs: 300,
    args: () => words(`-nodisp -autoexit -hide_banner -loglevel error -f s16le -ar ${rate} -i -`),
    failureOutput: /audio open failed|failed to open/i,
  },
  {
    // It takes no PCM with a rate of its own choice, and no WAV.
    program: 'mpg123',
    format: mp3,
    input: 'stream',
    leadMs: 300,
    args: ({ volume }) => words(`--quiet --scale ${Math.round((volume / 100) * 32_768)} -`),
  },
]

export interface InstalledPlayer extends PlayerProgram {
  path: string
}

/** Searches the folders of PATH for all players. */
export async function findPlayers(environment: NodeJS.ProcessEnv): Promise<InstalledPlayer[]> {
  const found = await Promise.all(
    players.map(async (player) => {
      const path = await findProgram(player.program, environment)
      return path === undefined ? [] : [{ ...player, path }]
    }),
  )
  return found.flat()
}
