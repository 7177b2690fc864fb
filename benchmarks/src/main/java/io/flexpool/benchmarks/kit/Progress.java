// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error how far a run is, how long it has taken and how long it will take from here; standard output
 * belongs to the results. The time to come counts on steps that take equally long: where they do not, count seconds.
 */
public final class Progress implements AutoCloseable, Steps {
    private final ProgressBar bar;

    /**
     * Begins at nothing.
     *
     * @param task what is done
     * @param steps how many steps it has
     */
    public Progress(String task, long steps) {
        this(task, steps, null);
    }

    Progress(String task, long steps, @Nullable ProgressBarConsumer elsewhere) {
        ProgressBarBuilder builder = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                // Rarely, because the bar's thread takes its time from what is measured.
                .setUpdateIntervalMillis(1000);
        bar = (elsewhere == null ? builder : builder.setConsumer(elsewhere)).build();
    }

    @Override
    public void steps(long steps, String doing) {
        bar.setExtraMessage(doing);
        bar.stepBy(steps);
    }

    @Override
    public void close() {
        bar.close();
    }
}
