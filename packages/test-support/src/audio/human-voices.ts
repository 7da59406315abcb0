import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../programs/installed-programs.ts'

/** Recordings of one person, from Debian packages. */
export interface HumanVoice {
  name: string
  /** The paths of recordings of a few seconds each. */
  files: readonly string[]
}

const folders = {
  Allison: '/usr/share/asterisk/sounds/en_US_f_Allison',
  'reader of LibriVox': '/usr/share/pocketsphinx/test/data/librivox',
  'caller of cards': '/usr/share/pocketsphinx/test/data/cards',
}

/** What tests with these recordings need. */
export const humanVoicePrograms = [
  'ffmpeg',
  '/usr/share/asterisk/sounds/en_US_f_Allison',
  '/usr/share/pocketsphinx/test/data',
] as const

/** A woman on a telephone line and two men; empty if a package is missing. */
export function humanVoices(): HumanVoice[] {
  if (!humanVoicePrograms.every(findProgram)) return []
  return Object.entries(folders).map(([name, folder]) => {
    const files = readdirSync(folder)
      .filter((file) => /\.(g722|wav)$/.test(file))
      .map((file) => join(folder, file))
      .sort((first, second) => statSync(second).size - statSync(first).size)
    return { name, files: files.slice(0, 16) }
  })
}

/** Joins recordings into one file in `format`, with a length of at most `seconds`. */
export function joinRecordings(files: readonly string[], format: string, seconds = 14): Buffer {
  const inputs = files.flatMap((file) => [
    ...(file.endsWith('g722') ? ['-f', 'g722'] : []),
    '-i',
    file,
  ])
  const filter = `concat=n=${files.length}:v=0:a=1`
  const output = [
    '-filter_complex',
    filter,
    '-t',
    String(seconds),
    '-ac',
    '1',
    '-b:a',
    '96k',
    '-f',
    format,
    '-',
  ]
  return run([...inputs, ...output])
}

/** Repeats a recording until it lasts `seconds`. @returns an MP3 with a very low bit rate. */
export function repeatRecording(wav: Buffer, seconds: number): Buffer {
  const loop = ['-i', 'pipe:0', '-af', 'aloop=loop=-1:size=2147483647', '-t', String(seconds)]
  return run(['-f', 'wav', ...loop, '-ar', '16000', '-b:a', '16k', '-f', 'mp3', '-'], wav)
}

function run(options: readonly string[], input?: Buffer): Buffer {
  const quiet = ['-hide_banner', '-loglevel', 'error']
  return execFileSync('ffmpeg', [...quiet, ...options], { input, maxBuffer: 1 << 28 })
}
