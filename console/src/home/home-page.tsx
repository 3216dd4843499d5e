import { Page } from "../ui/page.tsx";
import { AtAGlance } from "./at-a-glance.tsx";
import { Attention } from "./attention.tsx";
import { LastDays } from "./last-days.tsx";

export function HomePage() {
  return (
    <Page title="Home" description={<AtAGlance />}>
      <Attention />
      <LastDays />
    </Page>
  );
}
