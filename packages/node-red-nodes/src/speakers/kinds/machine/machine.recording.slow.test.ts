import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { countWordsInOrder, wordsOf } from '@parlando/test-support/audio/compare-words'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  findProgram,
  needs,
  type Program,
} from '@parlando/test-support/programs/installed-programs'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSound, type Sound, soundOf } from '../../../sounds/sound.ts'
import type { PlayOptions } from '../../driver.ts'
import { createMachineDriver, type MachineSpeakerOptions } from './machine.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
/** -10 dB at its peak, and so -13 dB in its mean. */
const beep = (seconds: number, hertz = 500) => tone({ seconds, hertz, sampleRateHertz: 24_000 })
const beepDb = -13

const streaming = ['pacat', 'aplay', 'mpv', 'ffplay'] as const
const needsPlayers = needs(...pulsePrograms, ...streaming, 'mpg123', 'paplay')

let pulse: Pulse
let folder: string
beforeAll(async () => {
  pulse = await startPulse()
  folder = await mkdtemp(join(tmpdir(), 'players-'))
})
afterAll(async () => {
  await pulse.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  const programs = runningChildProcesses().map(({ spawnfile }) => spawnfile)
  expect(programs.filter((program) => program.startsWith(folder))).toEqual([])
})

/**
 * A folder for PATH.
 * @param players the installed program, or a shell script that takes its place, by the name of the player.
 */
async function pathWith(players: Record<string, true | string>): Promise<string> {
  const path = await mkdtemp(join(folder, 'path-'))
  for (const [name, script] of Object.entries(players)) {
    if (script === true) await symlink(findProgram(name as Program)!, join(path, name))
    else await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  return path
}

async function machineWith(
  players: Record<string, true | string>,
  options: Partial<MachineSpeakerOptions> = {},
) {
  const PATH = await pathWith(players)
  const environment = { ...pulse.environment, PATH }
  const driver = createMachineDriver({ RED: speakerTexts.en, environment, ...options })
  onTestFinished(() => driver.close())
  const play = (sound: Sound, options: Partial<PlayOptions> = {}) =>
    driver.play(sound, {
      signal: AbortSignal.timeout(30_000),
      volume: 100,
      onFirstSound() {},
      handOut() {},
      ...options,
    })
  return { driver, play, PATH }
}

describe('this machine', needsPlayers, () => {
  it.each(streaming)(
    'plays with %s to the last sample, and reports the end then',
    async (player) => {
      const { play } = await machineWith({ [player]: true })
      const recording = await pulse.record()
      const startedAt = performance.now()
      await play(soundOf(format, beep(1)))
      const endedAt = performance.now()
      const heard = await recording.stop()
      expect(heard.tonesHertz).toEqual([500])
      expect(heard.onsetAt).toBeGreaterThan(startedAt)
      // ffplay swallows up to 20 ms.
      expect(heard.durationMs).toBeGreaterThan(960)
      // Earlier, the next sound would be heard over this one. The program ends a tenth of a second later, or more where five other
      // recordings begin at the same time.
      expect(endedAt).toBeGreaterThan(heard.endAt - 300)
      expect(endedAt).toBeLessThan(heard.endAt + 1000)
    },
  )

  it.each(['pacat', 'aplay'])(
    'plays a sound that is made in real time without gaps with %s',
    async (player) => {
      const { play } = await machineWith({ [player]: true })
      const recording = await pulse.record()
      const sound = createSound(format)
      const played = play(sound)
      const startedAt = performance.now()
      let maxLateMs = 0
      for (let chunk = 0; chunk < 20; chunk++) {
        const dueAt = startedAt + chunk * 100
        await delay(Math.max(0, dueAt - performance.now()))
        // On a busy machine, this test itself makes the sound too late.
        maxLateMs = Math.max(maxLateMs, performance.now() - dueAt)
        sound.append(beep(0.1))
      }
      sound.complete()
      await played
      const heard = await recording.stop()
      const gaps = heard.gaps.filter(({ ms }) => ms > 60 + maxLateMs)
      expect(gaps).toEqual([])
      expect(heard.durationMs).toBeGreaterThan(1990)
    },
  )

  it('says every word of a text in order, from the first to the last', async () => {
    const service = await startLocalService({ warmUp: false })
    onTestFinished(() => service.close())
    const client = createClient({ baseUrl: service.baseUrl })
    onTestFinished(() => client.close())
    const text = 'Kitchen: the laundry is done, and the front door is open.'
    const { play } = await machineWith({ pacat: true })
    const recording = await pulse.record()
    const sound = createSound(format)
    const played = play(sound)
    const speech = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig: format }
    for await (const { audio } of client.synthesizeStream(speech)) sound.append(audio)
    sound.complete()
    await played
    const heard = await recording.stop()
    const words = wordsOf(text)
    const recognised = await heard.recognise([...words, 'window', 'garden', 'yellow', 'seven'])
    expect(recognised?.[0]).toBe('kitchen')
    expect(countWordsInOrder(words, recognised!) / words.length).toBeGreaterThan(0.7)
  })

  it.each([
    [100, beepDb],
    [50, beepDb - 6],
    [20, beepDb - 14],
  ])('plays at volume %i with %i dB', async (volume, loudnessDb) => {
    const { play } = await machineWith({ pacat: true })
    const recording = await pulse.record()
    await play(soundOf(format, beep(0.3)), { volume })
    const heard = await recording.stop()
    expect(Math.abs(heard.loudnessDb - loudnessDb)).toBeLessThan(1)
  })

  it('is silent at volume 0, and still takes the time of the sound', async () => {
    const { play } = await machineWith({ pacat: true })
    const recording = await pulse.record()
    const startedAt = performance.now()
    await play(soundOf(format, beep(0.3)), { volume: 0 })
    expect(performance.now() - startedAt).toBeGreaterThan(290)
    expect((await recording.stop()).isSilent).toBe(true)
  })

  it('plays MP3 at the volume where only mpg123 is installed', async () => {
    const { driver, play } = await machineWith({ mpg123: true })
    const wanted = await driver.prepare(AbortSignal.timeout(20_000))
    expect(wanted).toEqual({ audioEncoding: 'MP3', sampleRateHertz: 44_100 })
    const { sampleRateHertz } = wanted
    const mp3 = await encodeMp3(tone({ seconds: 0.5, hertz: 500, sampleRateHertz }), {
      sampleRateHertz,
    })
    const recording = await pulse.record()
    await play(soundOf(wanted, mp3), { volume: 50 })
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([500])
    expect(heard.durationMs).toBeGreaterThan(490)
    expect(Math.abs(heard.loudnessDb - (beepDb - 6))).toBeLessThan(1)
  })

  it.each([
    ['pw-cat', 'for file; do :; done'],
    ['afplay', 'file=$1'],
    ['powershell', 'file=$PARLANDO_SOUND_FILE; [ $# = 4 ] || exit 1'],
  ])('gives %s a WAV file, which it deletes afterwards', async (player, findFile) => {
    // These programs exist on other systems; the script takes the file as they do.
    const script = `${findFile}\necho "$file" >> "$0.files"\nexec ${findProgram('paplay')} --latency-msec=200 "$file"`
    const { play, PATH } = await machineWith({ [player]: script })
    const recording = await pulse.record()
    const sound = createSound(format)
    const played = play(sound)
    sound.append(beep(0.3, 500))
    sound.append(beep(0.3, 900))
    sound.complete()
    await played
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([500, 900])
    const file = (await readFile(join(PATH, `${player}.files`), 'utf8')).trim()
    expect(file).toMatch(/sound\.wav$/)
    expect(readdirSync(tmpdir())).not.toContain(file.split('/').at(-2))
  })
})

describe('this machine, if a player fails,', needsPlayers, () => {
  const countCalls = 'echo >> "$0.calls"'
  const callsOf = async (PATH: string, player: string) =>
    (await readFile(join(PATH, `${player}.calls`), 'utf8')).length

  it('plays with the next player, from the start, and remembers it', async () => {
    const fail = `${countCalls}; echo "error: Host is down" >&2; exit 1`
    const { play, PATH } = await machineWith({ pacat: fail, aplay: true })
    const recording = await pulse.record()
    await play(soundOf(format, Buffer.concat([beep(0.2, 500), beep(0.2, 900)])))
    await play(soundOf(format, beep(0.2, 1300)))
    expect((await recording.stop()).tonesHertz).toEqual([500, 900, 1300])
    expect(await callsOf(PATH, 'pacat')).toBe(1)
  })

  it('plays with the next player after one that hangs, and does not try that again', async () => {
    const hang = `${countCalls}; exec /bin/sleep 1000`
    // The limit is also that of the player that works, and a virtual machine can stop for most of a second.
    const { play, PATH } = await machineWith({ pacat: hang, aplay: true }, { stallLimitMs: 1500 })
    const recording = await pulse.record()
    await play(soundOf(format, beep(0.2, 500)))
    await play(soundOf(format, beep(0.2, 900)))
    expect((await recording.stop()).tonesHertz).toEqual([500, 900])
    expect(await callsOf(PATH, 'pacat')).toBe(1)
  })

  it.each([
    ['exits without a word', 'exit 0'],
    ['takes the sound and exits at once', '/bin/cat > /dev/null; exit 0'],
    ['hangs', 'exec /bin/sleep 1000'],
    ['hangs with all of the sound', '/bin/cat > /dev/null; exec /bin/sleep 1000'],
    ['spins, and does not end when asked', "trap '' TERM; while :; do :; done"],
    ['finds no server', 'echo "error: Host is down" >&2; exit 1'],
  ])('reports one that %s', async (_, script) => {
    const { play } = await machineWith({ pacat: script }, { stallLimitMs: 300 })
    await expect(play(soundOf(format, beep(1)))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('pacat'),
    })
  })

  it('reports that another program uses the sound device', async () => {
    const script = 'echo "aplay: main:850: audio open error: Device or resource busy" >&2; exit 1'
    const { play } = await machineWith({ aplay: script })
    await expect(play(soundOf(format, beep(0.5)))).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringContaining('Device or resource busy'),
    })
  })

  it('reports one that is killed, and does not begin the sound again with another player', async () => {
    const kill = '/bin/sleep 1.2; kill -9 $$'
    const { play } = await machineWith({ pacat: kill, aplay: true })
    const recording = await pulse.record()
    await expect(play(soundOf(format, beep(3)))).rejects.toMatchObject({
      message: expect.stringContaining('pacat: signal SIGKILL'),
    })
    expect((await recording.stop()).isSilent).toBe(true)
  })

  it.each(streaming)('reports that %s finds no sound device', async (player) => {
    const PATH = await pathWith({ [player]: true })
    const environment = { ...pulse.environment, PULSE_SERVER: 'unix:/nonexistent', PATH }
    const { play } = await machineWith({}, { environment, stallLimitMs: 1000 })
    await expect(play(soundOf(format, beep(0.5)))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining(player),
    })
  })

  it('stops it at once, even if it ignores the request to end', async () => {
    const { play } = await machineWith({ pacat: "trap '' TERM; while :; do :; done" })
    const controller = new AbortController()
    const played = play(soundOf(format, beep(5)), { signal: controller.signal })
    await delay(100)
    controller.abort(new Error('stopped'))
    const stoppedAt = performance.now()
    await expect(played).rejects.toThrow('stopped')
    expect(performance.now() - stoppedAt).toBeLessThan(4000)
  })

  it('stops it when the driver closes', async () => {
    const { driver, play } = await machineWith({ pacat: true })
    const played = play(soundOf(format, beep(5)))
    await delay(100)
    await driver.close()
    await expect(played).rejects.toThrow('changed or removed by a deploy')
  })
})

describe('a machine without a player', needsPlayers, () => {
  it('says what to install, and finds it after that', async () => {
    const { driver, PATH } = await machineWith({})
    const signal = AbortSignal.timeout(20_000)
    await expect(driver.prepare(signal)).rejects.toMatchObject({ code: 'NO_PLAYER' })
    await symlink(findProgram('aplay')!, join(PATH, 'aplay'))
    expect(await driver.prepare(signal)).toEqual(format)
  })

  it('says so in the language of Node-RED', async () => {
    const { driver } = await machineWith({}, { RED: speakerTexts.de })
    await expect(driver.prepare(AbortSignal.timeout(20_000))).rejects.toThrow(
      /^Auf diesem Rechner gibt es kein Programm, das Klänge abspielt\. \S+/,
    )
  })

  it('names another speaker in a Home Assistant add-on', async () => {
    const { driver } = await machineWith(
      {},
      { environment: { PATH: folder, SUPERVISOR_TOKEN: 'x' } },
    )
    await expect(driver.prepare(AbortSignal.timeout(20_000))).rejects.toThrow(
      /add-on cannot use the sound device .* browser page/,
    )
  })
})
