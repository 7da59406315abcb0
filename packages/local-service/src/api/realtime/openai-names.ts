// Clients of the OpenAI API send these names if nobody chooses others. They mean the default of this service.

const voices = 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(
  ' ',
)

export function isOpenAiVoice(name: string): boolean {
  return voices.includes(name)
}

export function isOpenAiRealtimeModel(name: string): boolean {
  return /^gpt-.*(?:realtime|audio)/.test(name)
}
