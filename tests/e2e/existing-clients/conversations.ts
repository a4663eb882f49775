/** Conversations and their turns, as the JavaScript client asks for them; behind those of cases. */

import { at, type Call, kept } from './call.ts'
import { BASE, beginsWith, is, path } from './casework-rows.ts'

const NO_CASE = '00000000-0000-0000-0000-000000000000'

export const conversationCalls: readonly Call[] = [
  {
    method: 'casework.createConversation',
    args: ({ caseId }) => [{ title: 'Who sent it?', caseId }],
    verb: 'POST',
    path: `${BASE}/conversations`,
    body: ({ caseId }) => ({ title: 'Who sent it?', case_id: caseId }),
    status: 201,
    keep: kept('conversationId', 'id'),
    holds: (answer, { caseId }) => is({ title: 'Who sent it?', case_id: caseId, message_count: 0 })(answer),
  },
  {
    method: 'casework.listConversations',
    args: ({ caseId }) => [{ caseId, limit: 5 }],
    verb: 'GET',
    path: path('/conversations?case_id={caseId}&limit=5'),
    status: 200,
    holds: beginsWith('conversationId'),
  },
  {
    method: 'casework.updateConversation',
    args: ({ conversationId }) => [conversationId, { title: 'Who was it?', caseId: '' }],
    verb: 'PATCH',
    path: path('/conversations/{conversationId}'),
    body: { title: 'Who was it?', case_id: NO_CASE },
    status: 200,
    holds: is({ title: 'Who was it?', case_id: null }),
  },
  {
    method: 'casework.listConversations',
    args: [{ caseId: 'unfiled' }],
    verb: 'GET',
    path: `${BASE}/conversations?case_id=unfiled`,
    status: 200,
    holds: beginsWith('conversationId'),
  },
  {
    method: 'casework.updateConversation',
    args: ({ conversationId, caseId }) => [conversationId, { caseId }],
    verb: 'PATCH',
    path: path('/conversations/{conversationId}'),
    body: ({ caseId }) => ({ case_id: caseId }),
    status: 200,
    holds: (answer, { caseId }) => is({ title: 'Who was it?', case_id: caseId })(answer),
  },
  {
    method: 'casework.appendTurn',
    args: ({ conversationId }) => [
      conversationId,
      { question: 'What is 203.0.113.7?', answer: 'A relay.', tools: [{ name: 'lookup', args: '{"value":"x"}' }] },
    ],
    verb: 'POST',
    path: path('/conversations/{conversationId}/turns'),
    body: { question: 'What is 203.0.113.7?', answer: 'A relay.', tools: [{ name: 'lookup', args: '{"value":"x"}' }] },
    status: 201,
    keep: kept('turnId', 'id'),
    holds: (answer, { conversationId, caseId }) =>
      is({ conversation_id: conversationId, case_id: caseId, seq: 0, answer: 'A relay.' })(answer) &&
      at(answer, 'tools', 0, 'args') === '{"value":"x"}' &&
      typeof at(answer, 'user_id') === 'string' &&
      typeof at(answer, 'created_at') === 'string',
  },
  {
    method: 'casework.appendTurn',
    args: ({ conversationId }) => [conversationId, { question: 'And before?' }],
    verb: 'POST',
    path: path('/conversations/{conversationId}/turns'),
    body: { question: 'And before?', answer: '', tools: [] },
    status: 201,
    holds: is({ question: 'And before?', answer: '', seq: 1 }),
  },
  {
    method: 'casework.listTurns',
    args: ({ conversationId }) => [conversationId, { limit: 10 }],
    verb: 'GET',
    path: path('/conversations/{conversationId}/turns?limit=10'),
    status: 200,
    holds: (answer, known) => beginsWith('turnId')(answer, known) && at(answer, 'length') === 2,
  },
  {
    method: 'casework.getConversation',
    args: ({ conversationId }) => [conversationId],
    verb: 'GET',
    path: path('/conversations/{conversationId}'),
    status: 200,
    holds: (answer) => at(answer, 'message_count') === 2 && typeof at(answer, 'last_message_at') === 'string',
  },
  {
    method: 'casework.searchConversations',
    args: ['203.0.113.7', { limit: 5 }],
    verb: 'GET',
    path: `${BASE}/conversations/search?q=203.0.113.7&limit=5`,
    status: 200,
    holds: (answer, known) => beginsWith('turnId')(answer, known) && at(answer, 'length') === 1,
  },
  {
    method: 'casework.searchConversations',
    args: [''],
    verb: 'GET',
    path: `${BASE}/conversations/search?q=`,
    status: 200,
    holds: (answer) => Array.isArray(answer) && answer.length === 0,
  },
  {
    method: 'casework.deleteCase',
    args: ({ caseId }) => [caseId],
    verb: 'DELETE',
    path: path('/cases/{caseId}'),
    status: 204,
  },
  {
    method: 'casework.getConversation',
    args: ({ conversationId }) => [conversationId],
    verb: 'GET',
    path: path('/conversations/{conversationId}'),
    status: 200,
    holds: is({ case_id: null, message_count: 2 }),
  },
  {
    method: 'casework.deleteConversation',
    args: ({ conversationId }) => [conversationId],
    verb: 'DELETE',
    path: path('/conversations/{conversationId}'),
    status: 204,
  },
]
