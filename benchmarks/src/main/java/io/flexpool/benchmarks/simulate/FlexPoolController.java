// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.SizingController;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import java.util.ArrayList;
import java.util.List;

/** The controller that production runs. */
public final class FlexPoolController implements SimController {
    private SizingController controller = new SizingController(SizingSettings.DEFAULT, PoolMode.ADAPT);
    private final List<SizingDecision> decisions = new ArrayList<>();
    private final boolean classes;

    /** Of a pool that does not distinguish requests. */
    public FlexPoolController() {
        this(false);
    }

    private FlexPoolController(boolean classes) {
        this.classes = classes;
    }

    /** Of a pool whose long requests are a class of their own. */
    public static FlexPoolController withClasses() {
        return new FlexPoolController(true);
    }

    @Override
    public String name() {
        return classes ? "flexpool-classes" : "flexpool";
    }

    @Override
    public boolean classes() {
        return classes;
    }

    /** As {@code flexpool.sizing.instances} does it in production. */
    @Override
    public void begin(SimPool pool) {
        controller = new SizingController(SizingSettings.DEFAULT.withInstances(pool.instances()), PoolMode.ADAPT);
    }

    /** That a fleet has so many members. */
    void members(int pools) {
        controller.sharers(pools);
    }

    @Override
    public int onTick(PoolWindow window) {
        SizingStep step = controller.onTick(window);
        decisions.addAll(step.decisions());
        return step.limit();
    }

    /** What it decided so far, in order. */
    public List<SizingDecision> decisions() {
        return List.copyOf(decisions);
    }
}
