// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.metrics.micrometer.MicrometerProvider;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.pool.RefusedValueException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** {@code flexpool.metrics = micrometer}, into the application's own registry, with the application's own tracer. */
final class MicrometerBackend implements MetricsProvider {
    static final String NAME = "micrometer";

    private static final String SPANS_ABOVE = "spans-above";

    private final MetricsProvider global = new MicrometerProvider();
    private final OnlyBean<MeterRegistry> registry;
    private final @Nullable TracerBean tracer;
    private final AfterStart start;

    MicrometerBackend(ObjectProvider<MeterRegistry> registry, ListableBeanFactory beans, AfterStart start) {
        this.registry = new OnlyBean<>(registry, MeterRegistry.class, "metrics are published", start);
        this.tracer = TracerBean.in(beans, start);
        this.start = start;
    }

    /** A separate class, so that an application without Micrometer Tracing does not load its types. */
    private static final class TracerBean {
        private final OnlyBean<Tracer> bean;

        private TracerBean(OnlyBean<Tracer> bean) {
            this.bean = bean;
        }

        /** The tracer's bean; null without a tracer. Creates no bean, because tracers may need other beans. */
        static @Nullable TracerBean in(ListableBeanFactory beans, AfterStart start) {
            return ClassUtils.isPresent("io.micrometer.tracing.Tracer", MicrometerBackend.class.getClassLoader())
                    ? found(beans, start)
                    : null;
        }

        private static @Nullable TracerBean found(ListableBeanFactory beans, AfterStart start) {
            return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Tracer.class, true, false).length == 0
                    ? null
                    : new TracerBean(new OnlyBean<>(
                            beans.getBeanProvider(Tracer.class), Tracer.class, "spans are created", start));
        }

        MetricsProvider into(MeterRegistry registry, boolean spans) {
            Tracer tracer = (spans ? bean.get() : bean.quietly()).orElse(Tracer.NOOP);
            return MicrometerProvider.into(() -> registry, () -> tracer);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ConfigKey> keys() {
        return global.keys();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        // Read here, so that a wrong value is refused at once.
        MetricLevel.of(values);
        Optional<Duration> spansAbove = values.duration(SPANS_ABOVE);
        if (tracer == null && spansAbove.isPresent()) {
            throw new RefusedValueException(
                    SPANS_ABOVE,
                    spansAbove.get(),
                    "must not be set without a bean of the type Tracer (Micrometer Tracing)");
        }
        boolean spans = spansAbove.isPresent();
        return new LateBackend(
                start,
                () -> registry.get().map(into -> provider(into, spans).create(values)),
                spans || values.flag("histogram").orElse(false));
    }

    private MetricsProvider provider(MeterRegistry into, boolean spans) {
        return tracer == null ? MicrometerProvider.into(() -> into) : tracer.into(into, spans);
    }
}
