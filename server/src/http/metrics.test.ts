import { expect, test } from "vitest";
import { createMetrics, renderMetrics, snapshot } from "./metrics.ts";

test("requests of all processes add up, by route, method, status and duration", async () => {
  const processes = [createMetrics(), createMetrics()];
  for (const metrics of processes) {
    metrics.countRequest("public", "/v1/things", "GET", 200, 0.0005);
    metrics.countRequest("public", "/v1/things", "GET", 200, 0.001);
    metrics.countRequest("public", "/v1/things", "POST", 409, 0.3);
    metrics.countRequest("public", "/v1/slow", "GET", 200, 11);
    metrics.countRequest("operator", "/v1/things", "GET", 200, 0.5);
  }
  const text = await renderMetrics(await Promise.all(processes.map(snapshot)));
  const lines = text.split("\n").filter((line) => line.startsWith("matchbook_http_request"));

  const totals = "matchbook_http_requests_total";
  expect(lines).toContain(`${totals}{listener="public",method="GET",route="/v1/things",status="200"} 4`);
  expect(lines).toContain(`${totals}{listener="public",method="POST",route="/v1/things",status="409"} 2`);
  expect(lines).toContain(`${totals}{listener="operator",method="GET",route="/v1/things",status="200"} 2`);

  const durations = "matchbook_http_request_duration_seconds";
  const bucket = (le: string, route: string) => `${durations}_bucket{le="${le}",listener="public",route="${route}"}`;
  expect(lines).toContain(`${bucket("0.001", "/v1/things")} 4`);
  expect(lines).toContain(`${bucket("0.25", "/v1/things")} 4`);
  expect(lines).toContain(`${bucket("0.5", "/v1/things")} 6`);
  expect(lines).toContain(`${bucket("+Inf", "/v1/things")} 6`);
  expect(lines).toContain(`${bucket("10", "/v1/slow")} 0`);
  expect(lines).toContain(`${bucket("+Inf", "/v1/slow")} 2`);
  expect(lines).toContain(`${durations}_count{listener="public",route="/v1/things"} 6`);
  expect(lines).toContain(`${durations}_sum{listener="public",route="/v1/slow"} 22`);
});
