import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'
import { instant } from './instant.ts'
import { jsonText, jsonTexts } from './json.ts'

const line = ({ entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen }: FeedItem): string =>
  `{"id":${jsonText(entityId)},"type":${jsonText(type)},"value":${jsonText(value)}` +
  `,"reputation":${reputation},"accuracy":${accuracy},"tags":${jsonTexts(tags)}` +
  `,"firstSeen":"${instant(firstSeen)}","lastSeen":"${instant(lastSeen)}"}\n`

/** One JSON object a line, with all fields (decisions 11.6). Carries every value. */
export const ndjson: FeedFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  extension: 'ndjson',
  readBy: 'the json module of Python',
  types: 'any',
  write: streamed('any', () => ({ say: line })),
}
