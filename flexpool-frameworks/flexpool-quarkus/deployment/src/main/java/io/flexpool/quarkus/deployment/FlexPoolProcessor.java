// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.quarkus.FlexPoolRecorder;
import io.flexpool.quarkus.FlexPools;
import io.flexpool.quarkus.PoolWrapping;
import io.flexpool.quarkus.WrappingInterceptor;
import io.flexpool.quarkus.WrapsPools;
import io.quarkus.agroal.spi.JdbcDataSourceBuildItem;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.AnnotationsTransformerBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.processor.DotNames;
import io.quarkus.datasource.runtime.DataSourcesBuildTimeConfig;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.jandex.AnnotationTransformation;
import org.jboss.jandex.MethodInfo;

/** The build steps that wrap an application's datasources, and add the features whose libraries the application has. */
final class FlexPoolProcessor {
    private static final String FEATURE = "flexpool";
    private static final String HEALTH_CHECK = "io.flexpool.quarkus.FlexPoolHealthCheck";
    private static final String HEALTH = "io.flexpool.framework.PoolHealth";
    private static final String MICROMETER = "io.flexpool.metrics.micrometer.MicrometerProvider";

    /** Classes of Quarkus, each with the method that returns the datasource which Quarkus uses. */
    private static final Map<String, String> BIRTHS = Map.of(
            "io.quarkus.agroal.runtime.DataSources", "createDataSource",
            "io.quarkus.agroal.runtime.AgroalOpenTelemetryWrapper", "apply");

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem(FEATURE);
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .addBeanClasses(WrapsPools.class, WrappingInterceptor.class, PoolWrapping.class, FlexPools.class)
                .setUnremovable()
                .build();
    }

    /** Keeps the application's beans that are backends. */
    @BuildStep
    UnremovableBeanBuildItem backends() {
        return UnremovableBeanBuildItem.beanTypes(MetricsBinder.class, MetricsProvider.class);
    }

    @BuildStep
    AnnotationsTransformerBuildItem wrapping() {
        return new AnnotationsTransformerBuildItem(AnnotationTransformation.forMethods()
                .whenMethod(FlexPoolProcessor::returnsADataSource)
                .transform(context -> context.add(WrapsPools.class)));
    }

    private static boolean returnsADataSource(MethodInfo method) {
        return method.name().equals(BIRTHS.get(method.declaringClass().name().toString())) && !method.isBridge();
    }

    @BuildStep
    @Record(ExecutionTime.RUNTIME_INIT)
    void check(FlexPoolRecorder recorder, BeanContainerBuildItem beans, List<JdbcDataSourceBuildItem> dataSources) {
        recorder.check(
                beans.getValue(),
                dataSources.stream()
                        .map(JdbcDataSourceBuildItem::getName)
                        .sorted()
                        .toList());
    }

    @BuildStep
    void metrics(Optional<MetricsCapabilityBuildItem> metrics, BuildProducer<AdditionalBeanBuildItem> beans) {
        if (metrics.isPresent() && metrics.get().metricsSupported(MetricsFactory.MICROMETER)) {
            beans.produce(singleton(MICROMETER));
        }
    }

    @BuildStep
    void health(
            Capabilities capabilities,
            DataSourcesBuildTimeConfig config,
            BuildProducer<AdditionalBeanBuildItem> beans,
            BuildProducer<HealthBuildItem> checks) {
        if (capabilities.isPresent(Capability.SMALLRYE_HEALTH) && config.healthEnabled()) {
            beans.produce(singleton(HEALTH));
            checks.produce(new HealthBuildItem(HEALTH_CHECK, true));
        }
    }

    private static AdditionalBeanBuildItem singleton(String type) {
        return AdditionalBeanBuildItem.builder()
                .addBeanClass(type)
                .setDefaultScope(DotNames.SINGLETON)
                .setUnremovable()
                .build();
    }
}
