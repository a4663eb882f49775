import { isStoredForm } from '../../../../intelligence/entities/earlier-forms.ts'
import type { FeedFacts, FeedFormat, FeedItem } from '../../format.ts'
import { instant } from '../../text/instant.ts'
import { json, jsonText } from '../../text/json.ts'
import { streamed } from '../../writer.ts'
import { OURS, uuids } from '../uuid.ts'
import { MISP_TYPES } from './attribute-types.ts'

const TYPES = Object.keys(MISP_TYPES)
/** Of attributes: what holds for the event. */
const INHERITED = '5'
const ALL_COMMUNITIES = '3'
const OWN_ORGANISATION = '0'
/** Neither a level of threat nor a state of analysis is known. */
const UNDEFINED = '4'
const INITIAL = '0'

const ourId = uuids(OURS)

const seconds = (ms: number): string => String(Math.floor(ms / 1000))

function attributeLine(facts: FeedFacts, item: FeedItem): string {
  const { type, category } = MISP_TYPES[item.type]!
  const tags = item.tags.map((name) => `{"name":${jsonText(name)}}`)
  return (
    `{"uuid":"${ourId(`${facts.id} ${item.entityId}`)}","type":"${type}","category":"${category}"` +
    `,"value":${jsonText(item.value)},"to_ids":${item.reputation < 0},"distribution":"${INHERITED}"` +
    `,"comment":"reputation ${item.reputation}, accuracy ${item.accuracy}","timestamp":"${seconds(item.lastSeen)}"` +
    `,"first_seen":"${instant(item.firstSeen)}","last_seen":"${instant(Math.max(item.firstSeen, item.lastSeen))}"` +
    `,"Tag":[${tags.join(',')}]}`
  )
}

/**
 * One MISP event with an attribute for each item (decisions 15.4). Its time is that of the item that was seen last: the
 * same list is the same event, to the byte. What is not in the normal form of its type is left out: MISP refuses it.
 */
export const misp: FeedFormat = {
  name: 'misp',
  mediaType: 'application/json',
  extension: 'json',
  readBy: 'PyMISP',
  types: TYPES,
  write: streamed(TYPES, (facts) => {
    let last = 0
    let before = ''
    const event = {
      uuid: ourId(facts.id),
      info: facts.name,
      threat_level_id: UNDEFINED,
      analysis: INITIAL,
      distribution: facts.isPublic ? ALL_COMMUNITIES : OWN_ORGANISATION,
      published: false,
      Tag: [{ name: facts.isPublic ? 'tlp:clear' : 'tlp:amber' }],
    }
    return {
      // The list of attributes is the last but one, and the times, which only the end knows, come after it.
      begin: `{"Event":${json(event).slice(0, -1)},"Attribute":[`,
      say: (item) => {
        if (!isStoredForm(item.type, item.value)) return null
        last = Math.max(last, item.lastSeen)
        const line = `${before}\n${attributeLine(facts, item)}`
        before = ','
        return line
      },
      end: () => `\n],"date":"${instant(last).slice(0, 10)}","timestamp":"${seconds(last)}"}}\n`,
    }
  }),
}
