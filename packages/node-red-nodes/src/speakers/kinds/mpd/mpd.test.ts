import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createMpdDriver, mpdSpeaker } from './mpd.ts'
import { quoted } from './mpd-connection.ts'
import { readStatus } from './mpd-status.ts'

/** MP3 frames of silence, a tenth of a second. */
const frame = Buffer.alloc(417)
frame.writeUInt32BE(0xfffb90c4)
const sound = () =>
  soundOf({ audioEncoding: 'MP3', sampleRateHertz: 44_100 }, Buffer.alloc(417 * 4, frame))

/** What the driver knows of Mopidy 3: it has no command that is newer than protocol 0.19, and lacks some of the others. */
async function startOldServer({ state = 'play', volumeDuringSound = '40', canOpen = true } = {}) {
  const status = { state, songid: '7', elapsed: '61.500', time: '61:180', volume: '40' }
  const modes: Record<string, string> = { single: '1', repeat: '1', consume: '0' }
  let url = ''
  const run = (line: string): string => {
    const [command = '', argument = ''] = line.split(' ')
    if (['clearerror', 'getvol', 'oneshot'].includes(command)) {
      return `ACK [0@0] {${command}} Not implemented\n`
    }
    if (command === 'status') {
      return `${Object.entries({ ...status, ...modes })
        .map(([key, value]) => `${key}: ${value}\n`)
        .join('')}OK\n`
    }
    if (command in modes) modes[command] = argument
    if (command === 'addid') {
      url = argument.slice(1, -1)
      return 'Id: 8\nOK\n'
    }
    if (command === 'playid') {
      status.songid = argument
      status.elapsed = '0.000'
      status.state = 'play'
      status.volume = volumeDuringSound
      void fetch(url).then(async (response) => {
        await response.arrayBuffer()
        status.state = 'stop'
      })
    }
    return 'OK\n'
  }
  const device = await startScriptedDevice((socket) => {
    socket.write('OK MPD 0.19.0\n')
    let list: string[] | undefined
    socket.on('data', (data) => {
      for (const line of String(data).trimEnd().split('\n')) {
        if (line === 'command_list_begin') list = []
        else if (line === 'command_list_end') {
          const isPlayed = list!.some((command) => command.startsWith('playid'))
          if (canOpen || !isPlayed) for (const command of list!) run(command)
          list = undefined
          socket.write(canOpen || !isPlayed ? 'OK\n' : 'ACK [50@3] {playid} Failed to open it\n')
        } else if (list) list.push(line)
        else if (line !== 'noidle') socket.write(run(line))
      }
    })
  })
  onTestFinished(device.close)
  return device
}

/** @returns the lines that the server has received after it has played a sound. */
async function playOn(device: Awaited<ReturnType<typeof startOldServer>>): Promise<string[]> {
  const server = await serveSounds()
  const config = { mpd: device.address }
  const driver = createMpdDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  const signal = AbortSignal.timeout(10_000)
  onTestFinished(async () => {
    await driver.close()
    await server.close()
  })
  const played = driver.play(sound(), { signal, volume: 100, onFirstSound() {}, handOut() {} })
  expect(await played).toEqual({ confirmedBy: 'player' })
  return device.received().trimEnd().split('\n')
}

describe('a server with the protocol of Mopidy', () => {
  it('plays a sound, and continues with its song', async () => {
    const lines = await playOn(await startOldServer())
    expect(lines.slice(-7)).toEqual([
      'status',
      'stop',
      'deleteid 8',
      'single 1',
      'repeat 1',
      'consume 0',
      'seekid 7 61.5',
    ])
  })

  it('leaves the volume that somebody has set, and never stays silent', async () => {
    const lines = await playOn(await startOldServer({ state: 'pause', volumeDuringSound: '20' }))
    expect(lines.slice(-7)).toEqual([
      'command_list_begin',
      'setvol 0',
      'seekid 7 61.5',
      'pause 1',
      'setvol 20',
      'command_list_end',
      'setvol 20',
    ])
  })
})

it('a player that rejects a sound before it has fetched it could not fetch it', async () => {
  await expect(playOn(await startOldServer({ canOpen: false }))).rejects.toMatchObject({
    code: 'NOT_FETCHED',
  })
})

it('a sound leaves the queue also if the response that it is in it is lost', async () => {
  const queue = new Map<string, string>()
  const device = await startScriptedDevice((socket) => {
    socket.write('OK MPD 0.24.0\n')
    socket.on('data', (data) => {
      const [command, ...words] = String(data).trimEnd().split(' ')
      const last = words.at(-1) ?? ''
      if (command === 'addid') {
        queue.set('8', last)
        socket.destroy()
        return
      }
      if (command === 'deleteid') queue.delete(last)
      const isFound = command === 'playlistfind' && queue.get('8') === last
      socket.write(isFound ? 'Id: 8\nOK\n' : 'OK\n')
    })
  })
  const server = await serveSounds()
  const config = { mpd: device.address }
  const driver = createMpdDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  onTestFinished(async () => {
    await driver.close()
    await server.close()
    await device.close()
  })
  const signal = AbortSignal.timeout(10_000)
  const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound(), options)).rejects.toThrow('closed the connection')
  expect(device.received()).toContain('addid')
  expect(queue.size).toBe(0)
})

it('connects once for an announcement', async () => {
  const device = await startOldServer()
  const server = await serveSounds()
  const config = { mpd: device.address, mpdPassword: 'secret' }
  const driver = createMpdDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  const signal = AbortSignal.timeout(10_000)
  for (let announcement = 1; announcement <= 2; announcement++) {
    await driver.prepare(signal)
    await driver.play(sound(), { signal, volume: 100, onFirstSound() {}, handOut() {} })
    expect(device.received().match(/^password /gm)).toHaveLength(announcement)
  }
  await driver.close()
  await server.close()
})

describe('the status of MPD', () => {
  it('may contain anything', () => {
    const read = (values: Record<string, string>) => readStatus(new Map(Object.entries(values)))
    expect(read({})).toEqual({
      state: 'stop',
      songId: undefined,
      elapsedSeconds: 0,
      isSeekable: false,
      volume: undefined,
      modes: { single: '0', repeat: '0', consume: '0' },
      error: undefined,
    })
    const odd = { songid: '1 2', elapsed: 'NaN', volume: '-1', single: '1; x', time: ':' }
    expect(read(odd)).toEqual(read({}))
    expect(read({ single: 'oneshot' }).modes.single).toBe('oneshot')
  })
})

it('an argument of a command cannot contain another command', () => {
  expect(quoted('a "b" \\ \n\rkill\n')).toBe('"a \\"b\\" \\\\ kill"')
})

it('speakers with the same MPD share it, however its address is written', () => {
  const devices = (mpd?: string) => mpdSpeaker.devices!({ mpd })
  expect(devices('Radio')).toEqual(devices(' radio:6600'))
  expect(devices('radio:6601')).not.toEqual(devices('radio'))
})
