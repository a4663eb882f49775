/** Instances, as the public Go client asks for them; the JavaScript client has no methods for them. */

import { at, type Call, kept } from './call.ts'

const COMPUTE = '/api/compute/v1'

const instance =
  (tail = '') =>
  (known: Record<string, string>) =>
    `${COMPUTE}/instances/${known.instance}${tail}`

const until = (status: string): Call => ({
  method: 'compute.GetInstance',
  verb: 'GET',
  path: instance(),
  status: 200,
  eventually: true,
  holds: (answer) => at(answer, 'status') === status,
})

const step = (method: string, word: string): Call => ({ method, verb: 'POST', path: instance(`/${word}`), status: 202 })

export const compute: readonly Call[] = [
  {
    method: 'compute.ListTemplates',
    verb: 'GET',
    path: `${COMPUTE}/templates`,
    status: 200,
    keep: kept('template', 0, 'id'),
    holds: (answer) => Number.isInteger(at(answer, 0, 'diskSizeGb')),
  },
  {
    method: 'compute.ListTemplateZones',
    verb: 'GET',
    path: (known) => `${COMPUTE}/templates/${known.template}/zones`,
    status: 200,
    keep: kept('zone', 0),
  },
  {
    method: 'compute.CreateInstance',
    verb: 'POST',
    path: `${COMPUTE}/instances`,
    body: (known) => ({ templateID: known.template, zone: known.zone }),
    status: 202,
    keep: kept('instance', 'id'),
    holds: (answer, known) => at(answer, 'templateId') === known.template && at(answer, 'zone') === known.zone,
  },
  {
    method: 'compute.ListInstances',
    verb: 'GET',
    path: `${COMPUTE}/instances`,
    status: 200,
    holds: (answer, known) => at(answer, 0, 'id') === known.instance,
  },
  until('RUNNING'),
  step('compute.RestartInstance', 'restart'),
  until('RUNNING'),
  step('compute.StopInstance', 'stop'),
  until('STOPPED'),
  step('compute.ResetInstance', 'reset'),
  until('RUNNING'),
  step('compute.StopInstance', 'stop'),
  until('STOPPED'),
  step('compute.StartInstance', 'start'),
  { method: 'compute.DeleteInstance', verb: 'DELETE', path: instance(), status: 204 },
]
