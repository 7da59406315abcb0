import type { FoundSpeaker, SearchResult } from '../../speakers/search/search-speakers.ts'
import { askAdmin } from '../ask-admin.ts'
import { speakerText } from './speaker-kinds.ts'

interface SpeakerSearchOptions {
  /** Plays a chime on a device, and says what happened. */
  play(found: FoundSpeaker): Promise<string>
  /** Fills the form in for a device. */
  choose(found: FoundSpeaker): void
}

/** Makes a button search the network for speakers, and lists those that it finds. Nothing is sent before the click. */
export function speakerSearch({ play, choose }: SpeakerSearchOptions): void {
  const button = $('#parlando-speaker-find')
  const note = $('#parlando-speaker-found-note')
  const list = $('#parlando-speaker-found')
  const show = (words: string, isProblem = false) =>
    note.text(words).toggleClass('parlando-problem', isProblem)
  const chooseAndClose = (found: FoundSpeaker) => {
    list.empty()
    show('')
    choose(found)
  }
  button.on('click', async () => {
    button.prop('disabled', true)
    list.empty()
    show(speakerText('speaker.find.searching'))
    try {
      const { speakers, isInContainer } = await askAdmin<SearchResult>('find-speakers', {})
      list.append(...speakers.map((found) => lineOf(found, { play, choose: chooseAndClose })))
      const nothing = isInContainer ? 'speaker.find.none-in-container' : 'speaker.find.none'
      show(speakers.length > 0 ? '' : speakerText(nothing))
    } catch (error) {
      show((error as Error).message, true)
    }
    button.prop('disabled', false)
  })
}

function lineOf(found: FoundSpeaker, { play, choose }: SpeakerSearchOptions): JQuery {
  const { name, kind, address } = found
  const about = $('<span></span>').append(
    $('<b></b>').text(name),
    $('<small></small>').text(`${speakerText(`speaker.kind.${kind}`)} · ${address}`),
  )
  const result = $('<p role="status"></p>')
  const playButton = buttonOf('fa-play', speakerText('speaker.label.test'), name)
  playButton.on('click', async () => {
    playButton.prop('disabled', true)
    result.removeClass('parlando-problem').text(speakerText('speaker.label.testing'))
    try {
      result.text(await play(found))
    } catch (error) {
      result.addClass('parlando-problem').text((error as Error).message)
    }
    playButton.prop('disabled', false)
  })
  const chooseButton = buttonOf('fa-check', speakerText('speaker.find.choose'), name)
  chooseButton.on('click', () => choose(found))
  return $('<li></li>').append(about, playButton, chooseButton, result)
}

function buttonOf(icon: string, words: string, name: string): JQuery {
  const button = $('<button type="button" class="red-ui-button red-ui-button-small"></button>')
  button.attr({ title: words, 'aria-label': `${words}: ${name}` })
  return button.append($('<i aria-hidden="true"></i>').addClass(`fa ${icon}`))
}
