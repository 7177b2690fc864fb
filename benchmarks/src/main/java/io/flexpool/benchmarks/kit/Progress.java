// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows on standard error how far a run is; standard output belongs to the results. */
public final class Progress implements AutoCloseable {
    private final ProgressBar bar;

    /**
     * Begins at nothing.
     *
     * @param task what is done
     * @param steps how many steps it has
     */
    public Progress(String task, long steps) {
        bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                // Rarely, because the bar's thread takes its time from what is measured.
                .setUpdateIntervalMillis(1000)
                .build();
    }

    /**
     * One more step is done.
     *
     * @param doing what comes next, or was just done
     */
    public void step(String doing) {
        bar.setExtraMessage(doing);
        bar.step();
    }

    @Override
    public void close() {
        bar.close();
    }
}
