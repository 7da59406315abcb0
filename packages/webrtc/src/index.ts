export { acceptCall, type WebRtcCall, type WebRtcCallOptions } from './accept-call.ts'
export type { OpusPacket } from './jitter-buffer.ts'
export { OfferError } from './offer.ts'
