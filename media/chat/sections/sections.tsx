import { Plan } from '../cards/plan.tsx';
import { ChangesBar } from './changes-bar.tsx';
import { CommandChanges } from './command-changes.tsx';
import { ElsewhereLine } from './elsewhere-line.tsx';
import { Lines } from './lines.tsx';
import { BudgetLine, PlanDocument } from './plan-document.tsx';
import { ProcessesLine } from './processes-line.tsx';
import { Queue } from './queue.tsx';
import { WorktreeLine } from './worktree-line.tsx';

/** Draws the sections between the conversation and the composer. Each draws nothing while it has nothing to show. */
export function Sections() {
  return (
    <div class="strips">
      <ElsewhereLine />
      <Plan />
      <PlanDocument />
      <Lines />
      <BudgetLine />
      <WorktreeLine />
      <ProcessesLine />
      <ChangesBar />
      <CommandChanges />
      <Queue />
    </div>
  );
}
