import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'

export function addEdgeCommands(program: Command, context: CliContext): void {
  program
    .command('edge')
    .description('Configure the signalling edge (Kamailio) of this telephony node.')
    .command('prepare')
    .description('Write the configuration of the edge from the current settings.')
    .argument('<directory>', 'directory of the edge; a configuration written there before is overwritten')
    .action(async (directory: string) => {
      const file = await context.prepareEdge(directory)
      context.say(`Configuration written. Start Kamailio: kamailio -f ${file} -DD -E -m 512 -M 16 -x tlsf -X tlsf`)
    })
}
