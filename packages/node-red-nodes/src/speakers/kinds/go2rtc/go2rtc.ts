import { trimmedText } from '../../../runtime/saved-settings.ts'
import type { Texts } from '../../../runtime/texts.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import { OneAtATime } from '../../device-drivers/one-at-a-time.ts'
import type { Driver } from '../../driver.ts'
import { type DeviceAddress, textOfAddress } from '../../network/device-address.ts'
import { hostOf, readServerAddress } from '../../network/server-address.ts'
import { SpeakerError, speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { Camera, type CameraOptions } from './camera.ts'
import { playOnCamera } from './play-on-camera.ts'

const defaultPort = 1984
/** go2rtc responds to a sound when it has a connection to the camera. */
const defaultResponseMs = 10_000
const maxListed = 1000

/** The codecs of cameras. With `auto`, go2rtc asks the camera. */
const codecs = ['auto', 'pcma', 'pcmu', 'opus', 'aac'] as const

/** A camera or a doorbell with a speaker, through go2rtc, which is also part of Home Assistant and Frigate. */
export const go2rtcSpeaker: SpeakerKind = {
  create: createGo2rtcDriver,
  settings: [
    { name: 'go2rtc', type: 'address', placeholder: 'http://192.168.1.20:1984' },
    { name: 'go2rtcUser', type: 'secret', sentTo: 'go2rtc' },
    { name: 'go2rtcPassword', type: 'secret', sentTo: 'go2rtc' },
    { name: 'go2rtcStream', type: 'device' },
    { name: 'go2rtcCodec', default: 'auto', options: codecs },
    { name: 'address', type: 'address' },
  ],
  playerHost: ({ go2rtc }) => hostOf(trimmedText(go2rtc)),
  devices({ go2rtc, go2rtcStream }) {
    const { at, address } = readAddress(trimmedText(go2rtc))
    const server = at ? textOfAddress(at).toLowerCase() : address
    return [`go2rtc ${server} ${trimmedText(go2rtcStream)}`]
  },
  async listDevices({ RED, config }, signal) {
    const names = await Camera.list(optionsOf({ RED, config }), signal)
    const listed = names.filter((name) => name.length <= 200).slice(0, maxListed)
    return listed.map((name) => ({ id: name, name, room: '', abilities: [] }))
  },
}

export interface Go2rtcOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long go2rtc may take to respond. Default: 10 s. */
  responseMs?: number
}

/** Has go2rtc fetch sounds, and send them to a camera. */
export function createGo2rtcDriver(options: Go2rtcOptions): Driver {
  const { RED, sounds, config } = options
  const address = trimmedText(config['address'])
  const codec = codecs.find((each) => each === config['go2rtcCodec']) ?? 'auto'
  const playing = new OneAtATime()

  const find = () => {
    const cameraOptions = optionsOf(options)
    const stream = trimmedText(config['go2rtcStream'])
    if (!stream) throw new SpeakerError('NO_PLAYER', RED._('speaker.go2rtc.no-stream'))
    return { camera: new Camera(cameraOptions, stream), device: cameraOptions.device }
  }

  return {
    async prepare(signal) {
      await find().camera.check(signal)
      return deviceFormat
    },
    play: (sound, { volume, onFirstSound, signal: stopped }) =>
      playing.play(stopped, (signal) => {
        const { camera, device } = find()
        const call = { device, sounds, address, codec, volume, onFirstSound, signal }
        return playOnCamera(camera, sound, call)
      }),
    close: () => playing.close(speakerClosed(RED)),
  }
}

/** @throws {SpeakerError} without an address that go2rtc can have. */
function optionsOf({
  RED,
  config,
  responseMs = defaultResponseMs,
}: Pick<Go2rtcOptions, 'RED' | 'config' | 'responseMs'>): CameraOptions {
  const typed = trimmedText(config['go2rtc'])
  const { at, address } = readAddress(typed)
  if (!at) {
    const values = { device: 'go2rtc', typed: typed && address }
    throw new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.device.no-address', values))
  }
  return {
    device: { RED, name: 'go2rtc', address: at, responseMs },
    address,
    user: trimmedText(config['go2rtcUser']),
    password: trimmedText(config['go2rtcPassword']),
  }
}

/** @returns the address as a text, and where go2rtc listens if it is one that go2rtc can have. */
function readAddress(typed: string): { address: string; at?: DeviceAddress } {
  const hasPort = /[:/]/.test(typed)
  const { address, isUsable } = readServerAddress(hasPort ? typed : `${typed}:${defaultPort}`)
  if (!typed || !isUsable) return { address }
  const { hostname, port, protocol } = new URL(address)
  return { address, at: { host: hostname.replace(/^\[|\]$/g, ''), port: portOf(port, protocol) } }
}

function portOf(port: string, protocol: string): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}
