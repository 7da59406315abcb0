import { generateKeyPairSync, sign } from 'node:crypto'

/** A DER value: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const bytes = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

/** A new key and its self-signed certificate, as PEM. */
export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const serialNumber = der(0x02, Buffer.from([1]))
  const noName = der(0x30)
  const times = ['250101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)))
  const facts = der(
    0x30,
    serialNumber,
    ecdsaWithSha256,
    noName,
    der(0x30, ...times),
    noName,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', facts, privateKey))
  const base64 = der(0x30, facts, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
