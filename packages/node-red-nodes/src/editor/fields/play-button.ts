import { text } from '../red.ts'

export interface PlayButtonOptions {
  label: string
  /** Makes and plays the sound. @param onSound to be called when it begins to play. */
  play(signal: AbortSignal, onSound: () => void): Promise<void>
  /** Receives the reason if the sound cannot be played; empty clears it. */
  onProblem(problem: string): void
}

/** A button that plays a sound; a second press stops it. */
export function playButton({ label, play, onProblem }: PlayButtonOptions): JQuery<HTMLElement> {
  const icon = $('<i aria-hidden="true"></i>')
  const words = $('<span></span>')
  const button = $('<button type="button" class="red-ui-button parlando-listen"></button>')
  button.append(icon, ' ', words)
  const show = (text: string, iconName: string) => {
    words.text(text)
    icon.attr('class', `fa ${iconName}`)
  }
  show(label, 'fa-play')

  let playing: AbortController | undefined
  const stop = () => {
    playing?.abort()
    playing = undefined
    show(label, 'fa-play')
  }
  button.on('click', async () => {
    if (playing) return stop()
    const mine = new AbortController()
    playing = mine
    onProblem('')
    show(text('stop'), 'fa-spinner fa-spin')
    try {
      await play(mine.signal, () => {
        if (!mine.signal.aborted) show(text('stop'), 'fa-stop')
      })
    } catch (error) {
      if (!mine.signal.aborted) onProblem((error as Error).message)
    }
    if (playing === mine) stop()
  })
  // The form is closed.
  button.on('remove', stop)
  return button
}
