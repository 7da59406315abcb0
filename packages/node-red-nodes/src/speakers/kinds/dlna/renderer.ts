import { type Device, deviceError } from '../../network/device.ts'
import { type DeviceRequest, requestDevice } from '../../network/http-request.ts'
import { SpeakerError } from '../../speaker-error.ts'
import { type Element, escaped, findAll, readXml, textOf } from './xml.ts'

const transportType = 'AVTransport'
const volumeType = 'RenderingControl'

/** A renderer does not do what an action says. */
export class RendererRejection extends SpeakerError {}

interface Service {
  /** A type such as `urn:schemas-upnp-org:service:AVTransport:1`. */
  type: string
  url: URL
}

type Arguments = Readonly<Record<string, string | number>>

/**
 * A UPnP renderer, which DLNA players are: https://openconnectivity.org/developer/specifications/upnp-resources/upnp/. All
 * requests go to the host of its description, so it cannot make us send one to another device.
 */
export class Renderer {
  /** The name that its maker or owner has given it. */
  readonly name: string
  readonly #device: Device
  readonly #services: ReadonlyMap<string, Service>

  private constructor(device: Device, name: string, services: ReadonlyMap<string, Service>) {
    this.#device = device
    this.name = name
    this.#services = services
  }

  /**
   * Reads the description of a renderer, which may be part of another device.
   * @throws {SpeakerError} when it does not respond, or cannot play.
   */
  static async open(device: Device, description: URL, signal: AbortSignal): Promise<Renderer> {
    const { ok, xml } = await request(device, description, { signal })
    const services = xml ? servicesOf(xml, description) : undefined
    if (!ok || !xml || !services?.has(transportType)) throw deviceError(device, 'other-protocol')
    return new Renderer(device, textOf(xml, 'friendlyName'), services)
  }

  get hasVolume(): boolean {
    return this.#services.has(volumeType)
  }

  /** Calls an action that plays. @returns its values. @throws {RendererRejection} */
  transport(action: string, values: Arguments = {}): Promise<ReadonlyMap<string, string>> {
    return this.#call(transportType, action, values)
  }

  /** Calls an action of the volume. @returns its values. @throws {RendererRejection} */
  volume(action: string, values: Arguments = {}): Promise<ReadonlyMap<string, string>> {
    return this.#call(volumeType, action, { Channel: 'Master', ...values })
  }

  async #call(
    service: string,
    action: string,
    values: Arguments,
  ): Promise<ReadonlyMap<string, string>> {
    const { type, url } = this.#services.get(service)!
    const { ok, xml } = await request(this.#device, url, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${type}#${action}"` },
      body: envelope(type, action, { InstanceID: 0, ...values }),
    })
    const [response] = xml ? findAll(xml, `${action}Response`) : []
    if (ok && response) return new Map(response.children.map(({ name, text }) => [name, text]))
    throw rejectionOf(this.#device, xml)
  }
}

/** @returns undefined if the renderer rejects an action whose rejection does not matter. */
export async function unlessRejected<Result>(action: Promise<Result>): Promise<Result | undefined> {
  try {
    return await action
  } catch (error) {
    if (error instanceof RendererRejection) return undefined
    throw error
  }
}

function rejectionOf(device: Device, xml: Element | undefined): SpeakerError {
  const [fault] = xml ? findAll(xml, 'Fault') : []
  if (!fault) return deviceError(device, 'other-protocol')
  const code = textOf(fault, 'errorCode')
  const reason = [textOf(fault, 'errorDescription') || textOf(fault, 'faultstring'), code]
  const error = deviceError(device, 'rejected', reason.filter(Boolean).join(', '))
  return new RendererRejection(error.code, error.message)
}

/** @returns the services by their short names, such as `AVTransport`. */
function servicesOf(xml: Element, description: URL): ReadonlyMap<string, Service> {
  const base = parseUrl(textOf(xml, 'URLBase'), description) ?? description
  const services = new Map<string, Service>()
  for (const service of findAll(xml, 'service')) {
    const type = textOf(service, 'serviceType')
    const name = type.split(':').at(-2) ?? ''
    const url = parseUrl(textOf(service, 'controlURL'), base)
    // The first one is that of the outer device.
    if (url?.protocol !== 'http:' || services.has(name)) continue
    // A device behind a forwarded port names its own address, and no device may name another one.
    if (url.hostname !== description.hostname) url.host = description.host
    services.set(name, { type, url })
  }
  return services
}

/** Node.js 20 has no `URL.parse`. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined
}

function envelope(type: string, action: string, values: Arguments): string {
  const elements = Object.entries(values).map(
    ([name, value]) => `<${name}>${escaped(String(value))}</${name}>`,
  )
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"',
    ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>',
    `<u:${action} xmlns:u="${escaped(type)}">${elements.join('')}</u:${action}>`,
    '</s:Body></s:Envelope>',
  ].join('')
}

interface RendererResponse {
  ok: boolean
  /** Undefined if the response is not XML. */
  xml: Element | undefined
}

/** @throws {SpeakerError} when it does not respond in time, or with too much; the reason of the signal. */
async function request(
  device: Device,
  url: URL,
  options: DeviceRequest,
): Promise<RendererResponse> {
  const { status, text } = await requestDevice(device, url, options)
  // The status of a fault that an action has is 500.
  const isXml = status === 200 || status === 500
  return { ok: status === 200, xml: isXml ? await parsed(text) : undefined }
}

async function parsed(text: string): Promise<Element | undefined> {
  try {
    return await readXml(text)
  } catch {
    return undefined
  }
}
