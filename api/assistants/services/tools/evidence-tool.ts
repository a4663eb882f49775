import { Type } from 'typebox'
import { quoted } from '../../../../schemas/assistants/cleaned.ts'
import { type VerdictFacts, verdictLine } from '../../../../schemas/intelligence/verdict-line.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { subject, subjectId } from '../entity-subject.ts'
import { tool } from '../tool.ts'

type Verdict = { verdict: 'benign' | 'malicious'; reason: string; until?: string; at: string; userID: string }
type Claim = Record<string, unknown> & { visibleBy: readonly string[] }
type Claimed = Claim & { reporter: { name: string } }
type Answer = Record<string, unknown> &
  VerdictFacts & { entityID: string; at: string; rules: string; verdict?: Verdict; claims: readonly Claimed[] }

export const evidence = tool({
  name: 'evidence',
  title: 'Get the evidence of a score',
  description:
    'Why an entity has its reputation and accuracy, now or at another time: the claims that the caller may read, highest weight first, with the reporters that the caller may know, and the verdict of the customer if one decides the score. `line` is the result in one sentence.',
  scope: 'read',
  input: Type.Object(
    {
      ...subject,
      at: Type.Optional(
        Type.String({
          maxLength: 40,
          description: 'ISO 8601 or unix milliseconds; default: now; may be in the future',
        }),
      ),
    },
    CLOSED,
  ),
  async find({ ask }, { at, ...named }) {
    const answer = (await ask('evidence', { params: { id: subjectId(named) }, query: { at } })) as Answer
    const { entityID, claims, verdict, rules, ...score } = answer
    return {
      head: {
        id: entityID,
        line: verdictLine(answer, Date.parse(answer.at)),
        ...score,
        rules: quoted(rules),
        ...(verdict !== undefined && { verdict: shownVerdict(verdict) }),
      },
      lists: { claims: claims.map(shownClaim) },
      tail: (_, truncated) =>
        truncated ? { more: 'All claims are at GET /api/search/v1/entity/{id}/evidence of the API.' } : {},
    }
  },
})

const shownClaim = ({ reporter, visibleBy, ...claim }: Claimed) => ({
  ...claim,
  reporter: quoted(reporter.name),
  visibleBy: visibleBy.map(quoted),
})

const shownVerdict = ({ verdict, reason, until, at, userID }: Verdict) => ({
  verdict,
  quotedUntrustedText: quoted(reason),
  ...(until !== undefined && { until }),
  at,
  userId: userID,
})
