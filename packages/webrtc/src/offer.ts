/** An offer that cannot become a call. The message says why, as the end of a sentence about the offer. */
export class OfferError extends Error {}

// An offer of a browser has some 5,000 characters.
const maxCharacters = 64 * 1024

/**
 * Checks the offer of a client.
 * @returns the offer without the addresses of the client. The client connects to those of the answer. Otherwise, any
 * caller could make this machine send packets to any address, and look up any name.
 * @throws {OfferError}
 */
export function readOffer(sdp: string): string {
  if (sdp.length > maxCharacters) throw new OfferError(`has more than ${maxCharacters} characters`)
  const lines = sdp.split(/\r?\n/)
  if (lines[0] !== 'v=0') throw new OfferError('is not SDP: its first line must be v=0')
  const kinds = lines.filter((line) => line.startsWith('m=')).map((line) => line.split(' ')[0])
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  if (count('m=audio') !== 1) {
    throw new OfferError(`has ${count('m=audio')} lines m=audio; add exactly one audio track`)
  }
  if (count('m=application') !== 1) {
    throw new OfferError(
      "has no data channel; call createDataChannel('oai-events') before createOffer()",
    )
  }
  if (kinds.length > 2) throw new OfferError('contains more than audio and a data channel')
  if (!lines.some((line) => /^a=rtpmap:\d+ opus\/48000\/2$/i.test(line))) {
    throw new OfferError('does not contain the codec Opus')
  }
  for (const attribute of ['a=ice-ufrag:', 'a=ice-pwd:', 'a=fingerprint:']) {
    if (lines.some((line) => line.startsWith(attribute))) continue
    throw new OfferError(`has no line ${attribute}`)
  }
  const isAddress = /^a=(candidate:|end-of-candidates)/
  return lines.filter((line) => !isAddress.test(line)).join('\r\n')
}
