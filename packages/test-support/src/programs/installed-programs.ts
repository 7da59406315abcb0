import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const sounds = '/usr/share/asterisk/sounds'

/** What tests use apart from Node, npm and git, and the Debian package that installs it. A path names a file or a folder. */
export const debianPackages = {
  aplay: 'alsa-utils',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  curl: 'curl',
  ffmpeg: 'ffmpeg',
  ffplay: 'ffmpeg',
  ffprobe: 'ffmpeg',
  flac: 'flac',
  gmediarender: 'gmediarender',
  haproxy: 'haproxy',
  mopidy: 'mopidy-mpd',
  mosquitto: 'mosquitto',
  mpc: 'mpc',
  mpd: 'mpd',
  mpg123: 'mpg123',
  mpv: 'mpv',
  opusinfo: 'opus-tools',
  pacat: 'pulseaudio-utils',
  pactl: 'pulseaudio-utils',
  paplay: 'pulseaudio-utils',
  parec: 'pulseaudio-utils',
  pocketsphinx_batch: 'pocketsphinx',
  pocketsphinx_continuous: 'pocketsphinx',
  prometheus: 'prometheus',
  pulseaudio: 'pulseaudio',
  'redis-server': 'redis-server',
  rygel: 'rygel',
  snapclient: 'snapclient',
  snapserver: 'snapserver',
  squeezelite: 'squeezelite-pulseaudio',
  '/usr/share/pocketsphinx/model/en-us': 'pocketsphinx-en-us',
  '/usr/share/pocketsphinx/test/data': 'pocketsphinx-testdata',
  '/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz': 'asterisk-core-sounds-en',
  [`${sounds}/en_US_f_Allison`]: 'asterisk-core-sounds-en-g722',
  [`${sounds}/es_MX_f_Allison`]: 'asterisk-core-sounds-es-g722',
  [`${sounds}/fr_CA_f_June`]: 'asterisk-core-sounds-fr-g722',
} as const satisfies Record<string, string>

/** The name of a program, or the path of a file. */
export type Program = keyof typeof debianPackages

declare module '@vitest/runner' {
  interface TaskMeta {
    /** What this machine lacks for a test: `report-missing-programs.ts` lists it at the end of the run. */
    missing?: readonly string[]
  }
}

/** Options of a test or a suite. */
export interface Needs {
  skip: boolean
  meta: { missing: readonly string[] }
}

/**
 * The options of a test or a suite that needs programs: `describe('a broker', needs('mosquitto'), …)`. Without them it is
 * skipped, and the end of the run says why.
 * @throws {Error} if one is missing in CI, where no test may be skipped.
 */
export function needs(...programs: readonly Program[]): Needs {
  const missing = programs.filter((program) => !findProgram(program))
  requireInCI(missing)
  return { skip: missing.length > 0, meta: { missing } }
}

/** @returns the path of a program; undefined if this machine lacks it. */
export function findProgram(program: Program): string | undefined {
  if (isAbsolute(program)) return existsSync(program) ? program : undefined
  // Debian installs servers in a folder that is not in every user's PATH.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, program)).find(existsSync)
}

/** @throws {Error} if something is missing in CI. */
export function requireInCI(missing: readonly string[]): void {
  if (missing.length === 0 || !process.env['CI']) return
  throw new Error(`This test needs ${missing.join(', ')}. Run .ci/install-packages`)
}
