import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { findProgram, type Program } from '../../programs/installed-programs.ts'

/** Plays the sound at an address to its end, on the sound server of the environment. */
export type PlayAddress = (url: string, environment: NodeJS.ProcessEnv) => Promise<void>

/** A program of Debian that is given an address; its exit is the end. */
const command =
  (program: string, ...options: string[]): PlayAddress =>
  async (url, env) => {
    const player = spawn(program, [...options, url], { env, stdio: 'ignore' })
    const [code] = await once(player, 'exit')
    if (code !== 0) throw new Error(`${program} exited with ${code}`)
  }

const playWithMpd: PlayAddress = async (url, env) => {
  const folder = await mkdtemp(join(tmpdir(), 'mpd-'))
  const socket = join(folder, 'socket')
  const settings = `bind_to_address "${socket}"\naudio_output {\n type "pulse"\n name "judge"\n}\n`
  await writeFile(join(folder, 'settings'), settings)
  const options = ['--no-daemon', '--stderr', join(folder, 'settings')]
  const mpd = spawn(findProgram('mpd')!, options, { env, stdio: 'ignore' })
  const mpc = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('mpc', ['--host', socket, ...args], { env })
    return stdout
  }
  const until = async (isReached: (status: string) => boolean) => {
    while (!isReached(await mpc('status').catch(() => 'not started'))) await delay(100)
  }
  try {
    await until((status) => status !== 'not started')
    await mpc('add', url)
    await mpc('play')
    await until((status) => status.includes('[playing]'))
    await until((status) => !status.includes('[playing]'))
  } finally {
    mpd.kill()
    await once(mpd, 'exit')
    await rm(folder, { recursive: true })
  }
}

const playWithChromium: PlayAddress = async (url, env) => {
  const browser = await chromium.launch({
    executablePath: findProgram('chromium')!,
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    ignoreDefaultArgs: ['--mute-audio'],
    env: env as Record<string, string>,
  })
  try {
    const page = await browser.newPage()
    await page.evaluate(async (source) => {
      const audio = new Audio(source)
      const ended = new Promise((resolve, reject) => {
        audio.onended = resolve
        audio.onerror = () => reject(audio.error)
      })
      await audio.play()
      await ended
    }, url)
    // `ended` comes before the last sample is out.
    await delay(300)
  } finally {
    await browser.close()
  }
}

const playWithFfplay: PlayAddress = (url, env) => {
  const play = command('ffplay', '-nodisp', '-autoexit', '-loglevel', 'error')
  return play(url, { ...env, SDL_AUDIODRIVER: 'pulseaudio' })
}

/** A player that fetches an address from this machine. */
export interface HttpPlayer {
  programs: readonly Program[]
  play: PlayAddress
}

export const httpPlayers: readonly HttpPlayer[] = [
  { programs: ['mpd', 'mpc'], play: playWithMpd },
  {
    programs: ['mpv'],
    play: command('mpv', '--no-config', '--no-video', '--ao=pulse', '--really-quiet'),
  },
  { programs: ['ffplay'], play: playWithFfplay },
  { programs: ['mpg123'], play: command('mpg123', '--quiet', '-o', 'pulse') },
  { programs: ['chromium'], play: playWithChromium },
]
