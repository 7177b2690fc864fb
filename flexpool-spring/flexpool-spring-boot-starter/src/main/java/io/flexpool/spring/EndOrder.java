// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * In which order the beans of a context end. Spring destroys beans in the reverse order of their creation, and an executor that was
 * created before the pool, as Spring Boot's own is, ends after it: the tasks that it awaits then find the pool closed.
 */
final class EndOrder {
    private EndOrder() {}

    /** Has all executors and schedulers end before all data sources, apart from those that a data source itself needs. */
    static void executorsFirst(ConfigurableListableBeanFactory beans) {
        for (String pool : beans.getBeanNamesForType(DataSource.class, true, false)) {
            if (!beans.containsSingleton(pool)) {
                continue;
            }
            Set<String> needed = dependencies(beans, pool);
            for (String executor : beans.getBeanNamesForType(Executor.class, true, false)) {
                if (beans.containsSingleton(executor) && !needed.contains(executor)) {
                    beans.registerDependentBean(pool, executor);
                }
            }
        }
    }

    /** All beans that a bean depends on, and these on, with itself. */
    private static Set<String> dependencies(ConfigurableListableBeanFactory beans, String bean) {
        Set<String> found = new HashSet<>(Set.of(bean));
        Deque<String> left = new ArrayDeque<>(found);
        while (!left.isEmpty()) {
            for (String dependency : beans.getDependenciesForBean(left.pop())) {
                if (found.add(dependency)) {
                    left.push(dependency);
                }
            }
        }
        return found;
    }
}
