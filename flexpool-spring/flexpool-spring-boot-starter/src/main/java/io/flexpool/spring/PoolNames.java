// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** When all beans are known, refuses properties of an unknown pool or bean whose name is probably misspelt. */
final class PoolNames implements SmartInitializingSingleton {
    private final FlexPoolKeys keys;
    private final FlexPools pools;
    private final ListableBeanFactory beans;

    PoolNames(FlexPoolKeys keys, FlexPools pools, ListableBeanFactory beans) {
        this.keys = keys;
        this.pools = pools;
        this.beans = beans;
    }

    /** Checks nothing without a data source, for example in a test of a slice of an application. */
    @Override
    public void afterSingletonsInstantiated() {
        Set<String> names = new TreeSet<>();
        for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false)) {
            names.add(PoolWrapping.plain(bean));
        }
        if (names.isEmpty() || !keys.keys().enabled()) {
            return;
        }
        Set<String> poolNames = new TreeSet<>(pools.byName().keySet());
        for (String bean : names) {
            poolNames.add(keys.keys().nameOf(bean).orElse(bean));
        }
        keys.checkNames(names, poolNames);
    }
}
