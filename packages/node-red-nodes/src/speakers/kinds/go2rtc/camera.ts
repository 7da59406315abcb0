import { type Device, deviceError, shown } from '../../network/device.ts'
import { requestDevice } from '../../network/http-request.ts'
import { objectOf, parseJson } from '../../network/json.ts'
import { SpeakerError } from '../../speaker-error.ts'

export interface CameraOptions {
  device: Device
  /** The address of go2rtc, such as `http://192.168.1.20:1984`. */
  address: string
  user: string
  password: string
}

/**
 * A camera of go2rtc, which has a speaker: a stream with a way back
 * (https://github.com/AlexxIT/go2rtc/blob/master/internal/streams/README.md, read 2026-11).
 */
export class Camera {
  readonly #options: CameraOptions
  readonly #stream: string

  constructor(options: CameraOptions, stream: string) {
    this.#options = options
    this.#stream = stream
  }

  /** Lists the streams of go2rtc; not each has a speaker, which go2rtc knows when it is to play. @throws {SpeakerError} */
  static async list(options: CameraOptions, signal?: AbortSignal): Promise<string[]> {
    const { status, text } = await request(options, 'GET', {}, signal)
    if (status !== 200) throw deviceError(options.device, 'other-protocol')
    const streams = parseJson(text)
    // Each stream has a list of what it comes from.
    const isStream = (stream: unknown) => 'producers' in objectOf(stream)
    if (typeof streams !== 'object' || streams === null || Array.isArray(streams))
      throw deviceError(options.device, 'other-protocol')
    return Object.entries(streams).flatMap(([name, stream]) => (isStream(stream) ? [name] : []))
  }

  /** @throws {SpeakerError} if go2rtc has no such stream. */
  async check(signal: AbortSignal): Promise<void> {
    if ((await this.#read(signal)) === undefined) throw await this.#unknown()
  }

  /**
   * Plays a source instead of the one that it plays. The camera need not be in use.
   * @param source such as `ffmpeg:http://192.168.1.5/sound.wav#audio=auto#input=file`.
   * @returns whether it does; false if ffmpeg of go2rtc cannot read the source.
   * @throws {SpeakerError} if go2rtc cannot.
   */
  async play(source: string): Promise<boolean> {
    const { device } = this.#options
    const { status, text } = await this.#request('POST', { dst: this.#stream, src: source })
    if (status === 404) throw await this.#unknown()
    const reason = shown(text)
    if (reason.includes("can't find consumer")) {
      const values = { stream: shown(this.#stream) }
      throw new SpeakerError('SPEAKER_REFUSED', device.RED._('speaker.go2rtc.no-way-back', values))
    }
    if (status !== 200 && (status !== 500 || reason !== ''))
      throw deviceError(device, 'rejected', reason || `HTTP ${status}`)
    return status === 200
  }

  async stop(): Promise<void> {
    await this.#request('POST', { dst: this.#stream, src: '' })
  }

  /** Whether it plays an address now. go2rtc names it as soon as its ffmpeg runs, until a second after the last sample. */
  async isPlaying(url: string, signal: AbortSignal): Promise<boolean> {
    const text = await this.#read(signal)
    return text?.includes(JSON.stringify(url).slice(1, -1)) ?? false
  }

  /** @returns undefined if there is no such stream. */
  async #read(signal?: AbortSignal): Promise<string | undefined> {
    const { status, text } = await this.#request('GET', { src: this.#stream }, signal)
    if (status === 404) return undefined
    if (status === 200 && 'producers' in objectOf(parseJson(text))) return text
    throw deviceError(this.#options.device, 'other-protocol')
  }

  #request(method: string, query: Readonly<Record<string, string>>, signal?: AbortSignal) {
    return request(this.#options, method, query, signal)
  }

  async #unknown(): Promise<SpeakerError> {
    const { device } = this.#options
    const names = await Camera.list(this.#options)
    const values = {
      stream: shown(this.#stream),
      known: names.slice(0, 20).map(shown).join(', ') || '-',
    }
    return new SpeakerError('NO_PLAYER', device.RED._('speaker.go2rtc.unknown-stream', values))
  }
}

async function request(
  { device, address, user, password }: CameraOptions,
  method: string,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) {
  const url = new URL(`${address}/api/streams`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const token = Buffer.from(`${user}:${password}`).toString('base64')
  const response = await requestDevice(device, url, {
    method,
    isVerified: true,
    headers: user ? { authorization: `Basic ${token}` } : {},
    ...(signal && { signal }),
  })
  if (response.status !== 401) return response
  const values = { address }
  throw new SpeakerError('SPEAKER_REFUSED', device.RED._('speaker.go2rtc.wrong-password', values))
}
