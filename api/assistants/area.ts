import { assistantCalls } from '../http/audit/trail.ts'
import { allowances } from '../http/limits/allowance.ts'
import { enforcement } from '../http/middleware/limits.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { callTools } from './services/call-tool.ts'
import { innerRequests } from './services/inner-requests.ts'
import { TOOLS } from './services/tools/index.ts'

/** The route of assistants; their tools ask `routes` for their caller (decisions 16.4). */
export function assistantsArea(routes: readonly Route[], ports: CommonPorts, config: ApiConfig): Route[] {
  const { limits, now, metrics, logger, subscriptions } = ports
  const { tiers, version, url } = config
  const enforce = enforcement({
    limits,
    now,
    allowances: allowances({ tiers, subscriptions }),
    metrics: metrics.instruments,
  })
  const callTool = callTools(
    { route: innerRequests(routes, enforce), record: assistantCalls(ports), now, logger },
    TOOLS,
  )
  return mcpRoutes({ tools: TOOLS, callTool, version, url })
}
