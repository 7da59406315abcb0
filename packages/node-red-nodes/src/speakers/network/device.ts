import type { Texts } from '../../runtime/texts.ts'
import { SpeakerError, type SpeakerErrorCode } from '../speaker-error.ts'
import { type DeviceAddress, readDeviceAddress, textOfAddress } from './device-address.ts'

/** A device in the network, as its errors name it. */
export interface Device {
  RED: Texts
  /** The program that it runs, such as `MPD`. */
  name: string
  address: DeviceAddress
  /** How long it may take to accept a connection, and to respond to a command. */
  responseMs: number
}

/** What can go wrong with any device. */
export type DeviceProblem =
  | 'unreachable'
  | 'no-response'
  | 'gone'
  | 'other-protocol'
  | 'ended-early'
  | 'rejected'

const codes: Readonly<Record<DeviceProblem, SpeakerErrorCode>> = {
  unreachable: 'SPEAKER_NOT_REACHABLE',
  'no-response': 'SPEAKER_NOT_REACHABLE',
  gone: 'SPEAKER_NOT_REACHABLE',
  'other-protocol': 'SPEAKER_REFUSED',
  'ended-early': 'SPEAKER_NOT_REACHABLE',
  rejected: 'SPEAKER_REFUSED',
}

/** @param reason What the device or the system says about the problem, in any language. */
export function deviceError(device: Device, problem: DeviceProblem, reason = ''): SpeakerError {
  const message = device.RED._(`speaker.device.${problem}`, {
    device: device.name,
    address: textOfAddress(device.address),
    reason: shown(reason),
  })
  return new SpeakerError(codes[problem], message)
}

/** @returns whether an error of a connection means that the other side speaks no TLS, or no HTTP. */
export function isOtherProtocol(code = ''): boolean {
  return /^(ERR_SSL|EPROTO|HPE_)/.test(code)
}

const maxReasonCharacters = 200

/** A text of a device, short and without control characters. */
export function shown(reason: string): string {
  const characters = Array.from(reason.slice(0, 2 * maxReasonCharacters))
  const printable = characters.filter((character) => character >= ' ' && character !== '\u007f')
  return printable.slice(0, maxReasonCharacters).join('').trim()
}

export interface DeviceOptions {
  RED: Texts
  name: string
  defaultPort: number
  responseMs: number
}

/** @throws {SpeakerError} if what the user typed is not an address. */
export function deviceAt(typed: unknown, options: DeviceOptions): Device {
  const { RED, name, responseMs } = options
  const address = readDeviceAddress(typed, options.defaultPort)
  if (address) return { RED, name, address, responseMs }
  const values = { device: name, typed: shown(String(typed ?? '')) }
  throw new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.device.no-address', values))
}
