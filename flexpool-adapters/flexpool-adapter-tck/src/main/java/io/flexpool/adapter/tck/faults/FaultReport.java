// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The results of one test class's trials, as a table. Used by one thread. */
public final class FaultReport {
    private final List<String> rows = new ArrayList<>();

    public void add(FaultCase faultCase, FaultRun bare, FaultRun wrapped) {
        rows.add("| " + faultCase.server() + " | " + faultCase.fault() + " | " + faultCase.mode() + " | "
                + recovery(wrapped) + " / " + recovery(bare) + " | " + millis(wrapped.longestWait()) + " / "
                + millis(bare.longestWait()) + " | " + wrapped.failuresByState() + " / " + bare.failuresByState()
                + " | " + wrapped.brokenInUse() + " / " + bare.brokenInUse() + " | " + wrapped.peak() + " / "
                + bare.peak() + " |");
    }

    public void write(Path file) {
        List<String> lines = new ArrayList<>();
        lines.add("Each figure: of the wrapped pool / of the bare pool.");
        lines.add("");
        lines.add("| database | fault | mode | recovery, ms | longest wait, ms | failed acquisitions by SQLState "
                + "| broken in use by SQLState | peak of connections |");
        lines.add("|---|---|---|---|---|---|---|---|");
        lines.addAll(rows);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String recovery(FaultRun run) {
        return run.recovery().map(FaultReport::millis).orElse("never");
    }

    private static String millis(Duration time) {
        return String.valueOf(time.toMillis());
    }
}
