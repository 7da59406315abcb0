/** What MPD is doing. It leaves out what has no value. */
export interface MpdStatus {
  state: 'play' | 'pause' | 'stop'
  /** The id of the song that plays, or at which it stopped. */
  songId: string | undefined
  /** How much of the song was heard. */
  elapsedSeconds: number
  /** Whether the song has an end, so that it can continue where it was. */
  isSeekable: boolean
  /** 0 to 100. Absent where the output has no volume, or none while it is closed. */
  volume: number | undefined
  /** The modes that decide what follows a song, as MPD writes them: `0`, `1` or `oneshot`. */
  modes: Readonly<Record<Mode, string>>
  /** Why it could not play a song. */
  error: string | undefined
}

export const modes = ['single', 'repeat', 'consume'] as const
export type Mode = (typeof modes)[number]

export function readStatus(values: ReadonlyMap<string, string>): MpdStatus {
  const state = values.get('state')
  const volume = numberOf(values.get('volume'))
  // Mopidy has only the older `time`, of elapsed and whole seconds.
  const duration = numberOf(values.get('duration') ?? values.get('time')?.split(':')[1])
  return {
    state: state === 'play' || state === 'pause' ? state : 'stop',
    songId: idOf(values.get('songid')),
    elapsedSeconds: numberOf(values.get('elapsed')) ?? 0,
    isSeekable: duration !== undefined && duration > 0,
    volume: volume !== undefined && volume >= 0 && volume <= 100 ? volume : undefined,
    modes: {
      single: modeOf(values.get('single')),
      repeat: modeOf(values.get('repeat')),
      consume: modeOf(values.get('consume')),
    },
    error: values.get('error'),
  }
}

function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** It goes back to MPD inside commands, like the modes. */
export function idOf(text = ''): string | undefined {
  return /^\d{1,10}$/.test(text) ? text : undefined
}

function modeOf(text = ''): string {
  return ['0', '1', 'oneshot'].includes(text) ? text : '0'
}
