// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** A pool's status in its fleet, as metrics, lines and fields. */
final class FleetView {
    private static final int MOST_LINES = 50;
    private static final String CONNECTIONS = "{connection}";

    private FleetView() {}

    static List<PartMetric> metrics(Supplier<FleetStatus> status) {
        return List.of(
                gauge(
                        "granted",
                        CONNECTIONS,
                        "Connections that the pool may have open in its fleet: granted, or its static share.",
                        status,
                        FleetStatus::granted),
                gauge(
                        "wanted",
                        CONNECTIONS,
                        "Connections that the pool could use, as it reports to its fleet.",
                        status,
                        FleetStatus::wanted),
                gauge(
                        "held",
                        CONNECTIONS,
                        "Physical connections that the pool has open, or may be opening.",
                        status,
                        FleetStatus::held),
                // Old answers are not shown as current values.
                gauge(
                                "members",
                                "{member}",
                                "Members that renewed their share recently; 0 while this pool has no grant and uses its"
                                        + " static share.",
                                status,
                                now -> now.source() == Source.GRANT ? now.members() : 0)
                        .nonAdditive(),
                gauge(
                                "free",
                                CONNECTIONS,
                                "Connections that the fleet may still grant; negative if members hold more than the"
                                        + " maximum; no value while the store does not answer.",
                                status,
                                now -> now.source() == Source.GRANT ? now.free() : Double.NaN)
                        .nonAdditive());
    }

    private static PartMetric gauge(
            String name,
            String unit,
            String meaning,
            Supplier<FleetStatus> status,
            ToDoubleFunction<FleetStatus> value) {
        return PartMetric.gauge(
                "fleet." + name, "flexpool.fleet." + name, unit, meaning, () -> value.applyAsDouble(status.get()));
    }

    static List<String> reportLines(FleetStatus fleet) {
        List<String> lines = new ArrayList<>();
        lines.add("Fleet '" + fleet.fleet() + "': " + fleet.describe());
        List<FleetMember> shown = fleet.shown();
        String what = "Members of the fleet, those with the most connections first";
        if (shown.isEmpty()) {
            lines.add(what + ": none");
            return lines;
        }
        lines.add(what + " (" + shown.size() + "):");
        shown.stream().limit(MOST_LINES).forEach(each -> lines.add("  " + line(each)));
        if (shown.size() > MOST_LINES) {
            lines.add("  and " + (shown.size() - MOST_LINES) + " more");
        }
        return lines;
    }

    private static String line(FleetMember each) {
        return each.name() + ": granted " + each.granted() + ", may hold " + each.held() + ", needs " + each.want()
                + "; fleet.max "
                + (each.cap() == 0 ? "unknown" : each.cap() + ", reserve " + each.reserve()) + "; last renewal "
                + each.age().toMillis() + " ms before the store's answer" + (each.silent() ? ", grant ended" : "");
    }

    static Map<String, Object> fields(FleetStatus fleet) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", fleet.fleet());
        shown.put("member", fleet.member());
        shown.put("source", Texts.word(fleet.source()));
        shown.put("granted", fleet.granted());
        shown.put("wanted", fleet.wanted());
        shown.put("held", fleet.held());
        shown.put("members", fleet.members());
        shown.put("free", fleet.free());
        shown.put("cap", fleet.cap());
        if (fleet.trouble() != null) {
            shown.put("trouble", fleet.trouble());
        }
        shown.put("shown", fleet.shown().stream().map(FleetView::member).toList());
        return shown;
    }

    private static Map<String, Object> member(FleetMember member) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", member.name());
        shown.put("granted", member.granted());
        shown.put("held", member.held());
        shown.put("wanted", member.want());
        shown.put("ageMillis", member.age().toMillis());
        shown.put("silent", member.silent());
        return shown;
    }
}
